import { join, resolve } from 'node:path';
import type { ControlDoor } from '../http/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import { type DataRole, readHolder, storeErrors } from '../store/index.ts';
import type { VerbOption } from './verb.ts';

/** The `--data` option of every verb that has a store. */
export const dataOption: VerbOption = {
  kind: 'text',
  default: 'garner-data',
  describe: 'Folder that holds the data; each role has its own folder in it',
};

/** Where a role's data lies: `DIR/gatherer`, `DIR/broker`. */
export function dataPath(cwd: string, data: string, role: DataRole): string {
  return join(resolve(cwd, data), role);
}

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
