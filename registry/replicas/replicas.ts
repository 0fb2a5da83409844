import { alarm, type Clock, Nap, type Random } from '../../kernel/index.ts';
import { replicasFailed } from '../events.ts';

/** A Registry that this one knows. */
export interface KnownReplica {
  /** Its HTTP address, with a slash at its end. */
  readonly url: string;
  readonly name: string;
  /** Null until it was connected to. */
  readonly serverId: string | null;
  /** This one collects from it, so that it has the same servers. Any other one has only registered here. */
  readonly isReplica: boolean;
  readonly isSelf: boolean;
}

export interface Replica extends KnownReplica {
  /** Dead: the last probe failed, or none was answered for a suspicion time. Unknown: not probed yet. */
  readonly state: 'live' | 'dead' | 'unknown';
  /** From this Registry to it and back, as measured by the last probes. */
  readonly roundTripMs: number | null;
}

export interface ReplicasOptions {
  /** All that are known now, itself included. */
  readonly known: () => Promise<readonly KnownReplica[]>;
  /** Asks one for its health; resolves to the milliseconds that this took. */
  readonly probe: (replica: KnownReplica, signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Time between two probes of a replica, and of a stranger that only registered. */
const probeMs = 3000;
const strangerProbeMs = 30_000;
/** Max time for the answer. */
const patienceMs = 2000;
const lookMs = 1000;
/** Max Registries that are probed. */
const maxProbed = 64;
/** The round trip is the median of this many probes: the first one may have waited for a server that started. */
const keptProbes = 5;

interface Measure {
  dueAt: number;
  isRunning: boolean;
  isFailed: boolean;
  answeredAt: number | undefined;
  /** Round trips of the last probes, the newest last. */
  readonly trips: number[];
}

const medianOf = (trips: readonly number[]) =>
  trips.toSorted((a, b) => a - b)[Math.floor((trips.length - 1) / 2)] ?? null;

/** Knows which other Registries are live, and how near: probes each every few seconds, one probe at once. */
export class Replicas implements AsyncDisposable {
  readonly #options: ReplicasOptions;
  readonly #measures = new Map<string, Measure>();
  readonly #running = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  constructor(options: ReplicasOptions) {
    this.#options = options;
  }

  start(): void {
    this.#watching = this.#watch();
  }

  /** All Registries that are known, itself first. */
  async list(): Promise<readonly Replica[]> {
    const known = await this.#options.known();
    return known.map((replica) => ({
      ...replica,
      state: this.#stateOf(replica),
      roundTripMs: medianOf(this.#measures.get(replica.url)?.trips ?? []),
    }));
  }

  /** The live replica with the shortest round trip, or any live one. Itself is among them, and always live. */
  async choose(by: 'nearest' | 'random'): Promise<Replica | undefined> {
    const live = (await this.list()).filter(({ isReplica, state }) => isReplica && state === 'live');
    if (by === 'random') return live[Math.floor(this.#options.random.next() * live.length)];
    const far = Number.POSITIVE_INFINITY;
    return live.toSorted((a, b) => (a.roundTripMs ?? far) - (b.roundTripMs ?? far))[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#watching;
    await Promise.all(this.#running);
  }

  #stateOf({ url, isSelf, isReplica }: KnownReplica): Replica['state'] {
    if (isSelf) return 'live';
    const measure = this.#measures.get(url);
    if (measure?.isFailed === true) return 'dead';
    if (measure?.answeredAt === undefined) return 'unknown';
    const suspicionMs = (isReplica ? probeMs : strangerProbeMs) + lookMs + patienceMs;
    return this.#options.clock.now() - measure.answeredAt > suspicionMs ? 'dead' : 'live';
  }

  async #watch(): Promise<void> {
    const { signal } = this.#abort;
    const nap = new Nap(this.#options.clock, signal);
    while (!signal.aborted) {
      await this.#look().catch((error) => replicasFailed.publish({ error }));
      await nap.sleep(lookMs);
    }
  }

  /** Begin the probes that are due. */
  async #look(): Promise<void> {
    const known = (await this.#options.known()).slice(0, maxProbed);
    // Alone, it has nothing to compare itself with.
    if (known.every(({ isSelf }) => isSelf)) return;
    const urls = new Set(known.map(({ url }) => url));
    for (const [url, { isRunning }] of this.#measures)
      if (!urls.has(url) && !isRunning) this.#measures.delete(url);
    // Strangers must not make a Registry ask one host again and again.
    const hosts = new Set<string | undefined>();
    for (const replica of known) {
      const host = URL.parse(replica.url)?.hostname;
      if (!replica.isReplica && hosts.has(host)) continue;
      hosts.add(host);
      const measure = this.#measureOf(replica.url);
      if (measure.isRunning || this.#options.clock.now() < measure.dueAt || this.#abort.signal.aborted)
        continue;
      const probing = this.#probe(replica, measure).finally(() => this.#running.delete(probing));
      this.#running.add(probing);
    }
  }

  #measureOf(url: string): Measure {
    const none = { answeredAt: undefined, trips: [] };
    const measure = this.#measures.get(url) ?? { dueAt: 0, isRunning: false, isFailed: false, ...none };
    this.#measures.set(url, measure);
    return measure;
  }

  async #probe(replica: KnownReplica, measure: Measure): Promise<void> {
    const { clock, probe } = this.#options;
    measure.isRunning = true;
    measure.dueAt = clock.now() + (replica.isReplica ? probeMs : strangerProbeMs);
    const end = new AbortController();
    const stop = () => end.abort();
    this.#abort.signal.addEventListener('abort', stop, { once: true });
    const given = new Promise<never>((_, reject) =>
      end.signal.addEventListener('abort', () => reject(new Error('no answer')), { once: true }),
    );
    try {
      await using _alarm = alarm(clock, patienceMs, stop);
      const ms = await Promise.race([probe(replica, end.signal), given]);
      measure.trips.push(ms);
      if (measure.trips.length > keptProbes) measure.trips.shift();
      measure.answeredAt = clock.now();
      measure.isFailed = false;
    } catch {
      // Whatever it is, nobody should be led there.
      measure.isFailed = true;
    } finally {
      this.#abort.signal.removeEventListener('abort', stop);
      measure.isRunning = false;
    }
  }
}
