import { failure, GarnerError } from '../../kernel/index.ts';
import { engineErrors } from './errors.ts';

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
      if (error instanceof GarnerError) throw error;
      throw failure(
        engineErrors.ENGINE_OBJECT,
        { reason: error instanceof Error ? error.message : String(error) },
        error,
      );
    }
  };
