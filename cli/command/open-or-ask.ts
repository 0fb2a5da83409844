import { resolve } from 'node:path';
import type { ControlDoor } from '../../http/index.ts';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../../store/errors.ts';
import { type Holder, readHolder } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';
import { dataPath } from './common-options.ts';

/** The flags of a command line that set settings. */
export function settingFlags(config: EffectiveConfig): readonly string[] {
  return config.entries().flatMap(({ key }) => {
    const from = config.origin(key);
    return from.startsWith('--') ? [from] : [];
  });
}

/**
 * Open a store, or call its holder through the control door. `flags` are those given that only opening it would heed.
 * Throws STORE_LOCKED when the holder has no door, and CLI_SERVER_RUNS when it has one and there are such flags.
 */
export async function openOrAsk<Result>(
  path: string,
  open: () => Promise<Result>,
  ask: (door: ControlDoor) => Promise<Result>,
  flags: readonly string[],
): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (!isGarnerError(error, storeErrors.STORE_LOCKED)) throw error;
    const holder = await readHolder(path);
    const door = doorOf(holder);
    if (door === undefined || holder === undefined) throw error;
    if (flags.length > 0)
      throw failure(cliErrors.CLI_SERVER_RUNS, { flags, role: holder.role, pid: holder.pid });
    return ask(door);
  }
}

/** The control door that the holder of a data folder has announced. */
export function doorOf(holder: Holder | undefined): ControlDoor | undefined {
  if (holder?.address === undefined || holder.token === undefined) return undefined;
  const { address, token, certificates } = holder;
  return { address, token, ...(certificates && { certificates }) };
}

/** For STORE_LOCKED, an error that names the `garner up` that holds the data and its search page; others unchanged. */
export async function lockedByUp(error: unknown, cwd: string, data: string): Promise<unknown> {
  if (!isGarnerError(error, storeErrors.STORE_LOCKED)) return error;
  const gatherer = await readHolder(dataPath(cwd, data, 'gatherer'));
  const broker = await readHolder(dataPath(cwd, data, 'broker'));
  if (gatherer === undefined || gatherer.pid !== broker?.pid) return error;
  const address = broker.address === undefined ? undefined : `${broker.address}/`;
  const role = address === undefined ? 'another garner up' : 'another garner up, its search page';
  return failure(
    storeErrors.STORE_LOCKED,
    { path: resolve(cwd, data), pid: broker.pid, role, address },
    error,
  );
}
