import { failure, isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { damageMet } from '../events.ts';

/** The error, or its cause, with one of these codes of LevelDB. */
export function levelFault(error: unknown, ...codes: readonly string[]): Error | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if (codes.includes(String((at as { code?: unknown }).code))) return at;
  return undefined;
}

/** The typed error for one of LevelDB: STORE_DAMAGED, STORE_FULL, STORE_REFUSED. Others stay as they are. */
export function storeFault(error: unknown, path: string): unknown {
  if (isGarnerError(error)) return error;
  const corruption = levelFault(error, 'LEVEL_CORRUPTION');
  const fault = corruption ?? levelFault(error, 'LEVEL_IO_ERROR', 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE');
  if (fault === undefined) return error;
  const { message: reason } = fault;
  if (corruption !== undefined || /No such file|Invalid argument/i.test(reason)) {
    damageMet.publish({ path, reason });
    return failure(storeErrors.STORE_DAMAGED, { path, reason }, error);
  }
  if (/No space left|ENOSPC|quota/i.test(reason))
    return failure(storeErrors.STORE_FULL, { path, reason }, error);
  return failure(storeErrors.STORE_REFUSED, { path, reason }, error);
}

/** Wait for LevelDB; its errors become those of `storeFault`. */
export async function orStoreFault<Result>(path: string, answer: Promise<Result>): Promise<Result> {
  try {
    return await answer;
  } catch (error) {
    throw storeFault(error, path);
  }
}

/** The same for items that are read one after another. */
export async function* eachOrStoreFault<Item>(
  path: string,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw storeFault(error, path);
  }
}
