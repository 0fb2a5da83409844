import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  type CachePolicy,
  defaultDoorLimits,
  defaultPolicy,
  type FastLane,
  type HttpDoor,
  type OpenedCache,
  openCache,
  openHttpDoor,
  openUpstream,
} from '../../../cache/index.ts';
import { ManualClock, seededRandom } from '../../../kernel/index.ts';
import { Page } from './pages.ts';
import { ScriptedOrigin, type Step } from './scripted-origin.ts';
import { type WorkersHere, workersHere } from './workers-here.ts';

const mebibyte = 1024 * 1024;

export interface RunningOptions {
  readonly policy?: Partial<CachePolicy>;
  /** The folder of the store; absent: in memory. */
  readonly folder?: string;
  readonly memoryBytes?: number;
  readonly diskBytes?: number;
  /** Number of caches in a chain: clients connect to the first, the last connects to the origin. */
  readonly levels?: number;
  /** Put a fast lane before the door. */
  readonly isFast?: boolean;
  /** Add so many workers; requests go to all in turn. */
  readonly workers?: number;
  /** Further origins on this machine. */
  readonly allowHosts?: readonly string[];
}

interface Parts {
  readonly clock: ManualClock;
  readonly origin: ScriptedOrigin;
  readonly door: HttpDoor;
  readonly cache: OpenedCache['cache'];
  readonly lane?: FastLane;
  readonly workers?: WorkersHere;
  readonly faults: readonly unknown[];
}

/** One cache of a chain. */
interface Level {
  readonly door: HttpDoor;
  readonly opened: OpenedCache;
  readonly parts: readonly AsyncDisposable[];
}

async function openLevel(
  name: string,
  given: {
    readonly options: RunningOptions;
    readonly clock: ManualClock;
    readonly origin: ScriptedOrigin;
    readonly faults: unknown[];
    readonly parent: HttpDoor | undefined;
  },
): Promise<Level> {
  const { clock, origin, faults, parent } = given;
  const {
    policy,
    folder,
    isFast = false,
    workers = 0,
    memoryBytes = 16 * mebibyte,
    diskBytes = 16 * mebibyte,
  } = given.options;
  const upstream = openUpstream({ allowHosts: [origin.url, ...(given.options.allowHosts ?? [])] });
  const route = parent && { to: 'parent' as const, host: parent.host, port: parent.port, because: 'default' };
  const opened = await openCache({
    name,
    ...(folder !== undefined && { folder: join(folder, name) }),
    memoryBytes,
    diskBytes,
    largestEntryBytes: mebibyte,
    policy: { ...defaultPolicy, ...policy },
    collapseWaitMs: 5000,
    ...(isFast && {
      ready: { maxBytes: mebibyte, keepAliveMs: defaultDoorLimits.keepAliveMs, isShared: workers > 0 },
    }),
    upstream,
    ...(route && { router: { routes: async () => [route], outcome: () => {} } }),
    clock,
    random: seededRandom(1),
  });
  const door = await openHttpDoor({
    port: 0,
    clock,
    pseudonym: name,
    proxy: true,
    fault: (error) => faults.push(error),
    answer: (request) => opened.cache.answer(request),
    ...(opened.ready && { lane: { ready: opened.ready } }),
  });
  return { door, opened, parts: [door, upstream, opened] };
}

/** A proxy on loopback with a clock that the test moves, and an origin behind it. */
export class RunningCache implements AsyncDisposable {
  readonly clock: ManualClock;
  readonly origin: ScriptedOrigin;
  readonly cache: OpenedCache['cache'];
  readonly #port: number;
  /** Internal errors of the cache, which no client and no origin caused. */
  readonly faults: readonly unknown[];
  /** Persistent connections: the fast lane answers only on these. */
  readonly agent?: Agent;
  readonly #lane: FastLane | undefined;
  readonly #workers: WorkersHere | undefined;
  #turn = 0;
  readonly #opened: readonly AsyncDisposable[];
  #pages = 0;

  private constructor(parts: Parts, opened: readonly AsyncDisposable[]) {
    this.clock = parts.clock;
    this.origin = parts.origin;
    this.cache = parts.cache;
    this.#port = parts.door.port;
    this.#workers = parts.workers;
    this.faults = parts.faults;
    this.#lane = parts.lane;
    if (parts.lane !== undefined) this.agent = new Agent({ keepAlive: true });
    this.#opened = opened;
  }

  /** The port of the next request. */
  get port(): number {
    const ports = [this.#port, ...(this.#workers?.ports ?? [])];
    this.#turn += 1;
    return ports[this.#turn % ports.length] as number;
  }

  /** Number of requests that workers answered by themselves. */
  get byWorkers(): number {
    return this.#workers?.answered ?? 0;
  }

  /** Number of requests that the fast lane answered. */
  get inLane(): number {
    return this.#lane?.answered.requests ?? 0;
  }

  static async open(options: RunningOptions = {}): Promise<RunningCache> {
    const { isFast = false, levels = 1 } = options;
    const clock = new ManualClock(Date.UTC(2026, 0, 5, 12));
    const origin = await ScriptedOrigin.open(clock);
    const faults: unknown[] = [];
    const opened: AsyncDisposable[] = [origin];
    let below: Level | undefined;
    for (let level = levels; level >= 1; level--) {
      const name = level === 1 ? 'kit' : `kit-${level}`;
      below = await openLevel(name, { options, clock, origin, faults, parent: below?.door });
      opened.unshift(...below.parts);
    }
    const { door, opened: whole } = below as Level;
    const beside = { opened: whole, door, clock, name: 'kit' };
    const workers = options.workers ? await workersHere(options.workers, beside) : undefined;
    if (workers !== undefined) opened.unshift(workers);
    const parts = {
      clock,
      origin,
      door,
      faults,
      cache: whole.cache,
      ...(isFast && door.lane && { lane: door.lane }),
      ...(workers && { workers }),
    };
    return new RunningCache(parts, opened);
  }

  /** A new URL that answers with these steps, and repeats the last one. */
  page(...steps: readonly Step[]): Page {
    this.#pages += 1;
    return this.pageAt(`/page-${this.#pages}`, ...steps);
  }

  pageAt(target: string, ...steps: readonly Step[]): Page {
    this.origin.script(target, steps);
    return new Page(this.origin, this, target);
  }

  /** Advance the clock of cache and origin by so many seconds. */
  pass(seconds: number): void {
    this.clock.advance(seconds * 1000);
  }

  /** The time so many seconds from now, as in a Date field. */
  at(seconds: number): string {
    return new Date(this.clock.now() + seconds * 1000).toUTCString();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.agent?.destroy();
    for (const part of this.#opened) await part[Symbol.asyncDispose]();
  }
}
