import { failure, GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { storeErrors } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';

/**
 * Wraps a read of the object store for an engine, so that its failures do not count as damage of the index.
 * Throws ENGINE_OBJECT.
 */
export const readingStore =
  <Key, Value>(read: (key: Key) => Promise<Value>) =>
  async (key: Key): Promise<Value> => {
    try {
      return await read(key);
    } catch (error) {
      const isDamage = isGarnerError(error, storeErrors.STORE_DAMAGED);
      if (error instanceof GarnerError && !isDamage) throw error;
      throw failure(
        engineErrors.ENGINE_OBJECT,
        { reason: error instanceof Error ? error.message : String(error) },
        error,
      );
    }
  };
