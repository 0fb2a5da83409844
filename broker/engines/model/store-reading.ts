import { failure, GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { storeErrors } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';

/**
 * Reads of the object store for an engine, whose failures say that they are the store's: they are no reason to take the
 * index for damaged. Throws ENGINE_OBJECT.
 */
export const readingStore =
  <Asked, Answer>(read: (asked: Asked) => Promise<Answer>) =>
  async (asked: Asked): Promise<Answer> => {
    try {
      return await read(asked);
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
