import type { ControlDoor } from '../http/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import { readHolder, storeErrors } from '../store/index.ts';

/**
 * Do something with a store: open it, or, when another process holds it, ask that one through its control door.
 * Throws STORE_LOCKED when the holder has no door.
 */
export async function openOrAsk<Result>(
  path: string,
  open: () => Promise<Result>,
  ask: (door: ControlDoor) => Promise<Result>,
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (!isGarnerError(error, storeErrors.STORE_LOCKED)) throw error;
    const holder = await readHolder(path);
    if (holder?.address === undefined || holder.token === undefined) throw error;
    return ask({ address: holder.address, token: holder.token });
  }
}
