import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import {
  type OpenedCache,
  openWorkers,
  type RelayPlace,
  type WorkerProcess,
  type Workers,
} from '../../cache/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig, PlacedEntry } from '../config/config.ts';
import type { OpenedDoors } from './doors.ts';

/** The first message to a worker process; it replies when it is ready, and then gets the port. */
export interface CacheWorkerOrder {
  readonly place: RelayPlace;
  readonly name: string;
  readonly entries: readonly PlacedEntry[];
  readonly folder: string;
}

/** The parts that workers share with the process that starts them. */
interface BesideWorkers extends Required<Pick<Parameters<typeof openWorkers>[0], 'isPeer' | 'counts'>> {
  readonly doors: OpenedDoors;
  readonly opened: OpenedCache;
  readonly name: string;
}

/** The workers of a cache; undefined where one process does everything. Throws CLI_BAD_SETTING. */
export async function openCacheWorkers(
  config: EffectiveConfig,
  { doors, opened, name, isPeer, counts }: BesideWorkers,
): Promise<Workers | undefined> {
  const processes = config.count('cache.workers') || availableParallelism();
  if (processes === 1) return undefined;
  const { plain, access, limits } = doors;
  const { lane, slots } = plain;
  if (lane === undefined || opened.copies === undefined)
    throw badSetting(
      config,
      'cache.workers',
      `is ${processes}, but workers need the fast lane, which is off`,
      'omit --no-fast-lane (cache.fast-lane: true), or --workers',
    );
  const { maxConnections, closeGraceMs } = limits;
  const settings = { entries: config.placedEntries(), folder: config.folder };
  return openWorkers({
    ...{ count: processes - 1, clock: systemClock, random: systemRandom, copies: opened.copies },
    ...{ lane, server: plain.server, access, slots, isPeer, counts, maxConnections: 2 * maxConnections },
    graceMs: 2 * closeGraceMs + 1000,
    start: (place) => startWorker({ ...settings, place, name }, plain.server),
  });
}

/** Start a process that answers on the server's port. */
function startWorker(order: CacheWorkerOrder, server: OpenedDoors['plain']['server']): WorkerProcess {
  const child = fork(fileURLToPath(new URL('./worker.js', import.meta.url)), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  // A failure to send means that the process has ended, which `exited` reports.
  const sent = () => undefined;
  child.on('error', sent);
  child.send(order, sent);
  child.once('message', () => {
    if (server.listening) child.send('port', server, sent);
  });
  return { exited, kill: () => child.kill('SIGKILL') };
}
