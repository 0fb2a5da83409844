import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import {
  AccessRules,
  defaultDoorLimits,
  defaultPolicy,
  type FastLane,
  type HttpDoor,
  type OpenedCache,
  openHitWorker,
  openWorkers,
  type RelayPlace,
  type WorkerProcess,
} from '../../../cache/index.ts';
import { type Clock, systemClock, systemRandom } from '../../../kernel/index.ts';

/** Workers of a cache in this process, each with its own port, so that a test can choose one. */
export interface WorkersHere extends AsyncDisposable {
  /** Ports of the running workers. */
  readonly ports: readonly number[];
  /** Requests that all of them answered from copies. */
  readonly answered: number;
}

const mebibyte = 1024 * 1024;

/** Open workers for a proxy's door and wait until they listen. */
export async function workersHere(
  count: number,
  {
    opened,
    door,
    clock,
    name,
  }: {
    readonly opened: OpenedCache;
    readonly door: HttpDoor;
    readonly clock: Clock;
    readonly name: string;
  },
): Promise<WorkersHere> {
  const { copies } = opened;
  const { lane, slots } = door;
  if (copies === undefined || lane === undefined) throw new Error('workers need a fast lane');
  const ports = new Map<number, number>();
  const lanes: FastLane[] = [];
  const comes: Promise<void>[] = [];
  const limits = defaultDoorLimits;
  const start = (place: RelayPlace): WorkerProcess => {
    const server = createServer();
    const run = async () => {
      const worker = await openHitWorker({
        ...{ place, name, policy: defaultPolicy, readyBytes: mebibyte },
        ...{ proxy: true, isOpen: true, limits },
        // Messages between processes take real time.
        clock: { now: () => clock.now(), sleep: (ms, signal) => systemClock.sleep(ms, signal) },
      });
      worker.serve(server);
      if (worker.lane !== undefined) lanes.push(worker.lane);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ports.set(place.worker, (server.address() as AddressInfo).port);
      return worker;
    };
    const running = run();
    comes.push(running.then(() => undefined));
    const exited = running.then(async (worker) => {
      await worker.ended;
      server.close();
      await worker[Symbol.asyncDispose]();
    });
    return { exited, kill: () => void running.then(() => server.close()) };
  };
  const workers = await openWorkers({
    ...{ count, clock: systemClock, random: systemRandom, copies, lane, server: door.server, start },
    ...{ access: new AccessRules(), maxConnections: 1000, graceMs: 1000 },
    ...{ slots, isPeer: () => false },
  });
  await Promise.all(comes);
  return {
    get ports() {
      return [...ports.values()];
    },
    get answered() {
      return lanes.reduce((sum, { answered }) => sum + answered.requests, 0);
    },
    [Symbol.asyncDispose]: () => workers[Symbol.asyncDispose](),
  };
}
