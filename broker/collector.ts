import { collect, type RoundReport, watchHints } from '../exchange/index.ts';
import { type Clock, failure, GarnerError, type Random } from '../kernel/index.ts';
import type { Identity, ServerId } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { connect, type Session, type WireLimits } from '../wire/index.ts';
import { brokerErrors } from './errors.ts';
import { sourceReplaced, sourceState } from './events.ts';
import type { ObjectTable } from './object-table.ts';

/** A source to collect from. */
export interface SourceAddress {
  /** ws: or wss: URL of a Gatherer or Broker. */
  readonly url: string;
  readonly token?: string;
}

export interface CollectorOptions {
  readonly sources: readonly SourceAddress[];
  readonly store: ObjectStore;
  readonly table: ObjectTable;
  readonly identity: Identity;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Longest time between two rounds of a source. */
  readonly intervalSeconds: number;
  /** Part of a source (0 to 1) that may vanish at once before each loss is confirmed. */
  readonly deleteGuard: number;
  /** Bounds of the sessions. */
  readonly wire?: Partial<WireLimits>;
}

export interface SourceStatus {
  readonly url: string;
  /** Unknown until the first connection. */
  readonly serverId: ServerId | null;
  readonly name: string;
  readonly state: 'ok' | 'connecting' | 'down';
  readonly lastLearnedAt: number | null;
  readonly error: string | null;
  readonly lastRound: RoundReport | null;
  /** The last round that learned or forgot something. */
  readonly lastChange: RoundReport | null;
}

const firstRetryMs = 500;
const lastRetryMs = 60_000;

/** Check and normalise a source's address: ws:// is added to a bare host:port. Throws BROKER_SOURCE. */
export function sourceAddress(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `ws://${text}`);
  if (url === null || !['ws:', 'wss:'].includes(url.protocol) || url.hostname === '')
    throw failure(brokerErrors.BROKER_SOURCE, { source: text });
  return url.href;
}

/** One source: connects, collects, listens for hints, and begins again when the line is lost. */
class SourceLoop {
  state: SourceStatus['state'] = 'connecting';
  error: string | null = null;
  serverId: ServerId | null = null;
  lastRound: RoundReport | null = null;
  lastChange: RoundReport | null = null;
  readonly address: SourceAddress;
  readonly #options: CollectorOptions;
  readonly #abort = new AbortController();
  #asked = false;
  #wake: (() => void) | undefined;
  #waiters: { done: (report: RoundReport) => void; fail: (error: unknown) => void }[] = [];
  #done: Promise<void> = Promise.resolve();

  constructor(address: SourceAddress, options: CollectorOptions) {
    this.address = address;
    this.#options = options;
    this.serverId = options.table.sources.find((row) => row.url === address.url)?.serverId ?? null;
  }

  start(): void {
    this.#done = this.#run();
  }

  /** Ask for a round now; resolves with its report. */
  round(): Promise<RoundReport> {
    return new Promise((done, fail) => {
      this.#waiters.push({ done, fail });
      this.#ask();
    });
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#wake?.();
    await this.#done;
    this.#settle(({ fail }) => fail(this.#abort.signal.reason));
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options;
    const { signal } = this.#abort;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      this.#asked = false;
      try {
        if (this.state !== 'down') this.#become('connecting');
        await this.#session(() => {
          retryMs = firstRetryMs;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#become('down', error);
        this.#settle(({ fail }) => fail(error));
      }
      if (signal.aborted) return;
      const wait = retryMs * (0.5 + random.next());
      retryMs = Math.min(retryMs * 2, lastRetryMs);
      // A round asked for by hand does not wait for the retry.
      await this.#sleep(wait, clock);
    }
  }

  async #session(connected: () => void): Promise<void> {
    const { identity, name, clock, random, table, store, wire } = this.#options;
    const { signal } = this.#abort;
    await using session = await connect({
      url: this.address.url,
      identity,
      role: 'broker',
      name,
      clock,
      random,
      signal,
      ...(wire === undefined ? {} : { limits: wire }),
      ...(this.address.token === undefined ? {} : { token: this.address.token }),
    });
    this.serverId = session.peer.serverId;
    const replica = await store.replica(this.serverId);
    const once = () =>
      collect({
        session,
        replica,
        keyring: table,
        clock,
        name: session.peer.name,
        deleteGuard: this.#options.deleteGuard,
        signal,
      });
    let lost: unknown;
    const hints = watchHints(session, () => this.#ask(), signal).catch((error: unknown) => {
      lost = error;
    });
    void Promise.race([hints, session.closed]).then((reason) => {
      lost ??= reason ?? new Error('the session ended');
      this.#wake?.();
    });
    for (;;) {
      this.#asked = false;
      // Who asks while a round is under way waits for the next: this one may not see what they mean.
      const asking = this.#waiters;
      this.#waiters = [];
      try {
        const report = await once();
        this.lastRound = report;
        if (report.learned + report.refreshed + report.forgotten > 0) this.lastChange = report;
        connected();
        await this.#learned(session);
        this.#become('ok');
        for (const { done } of asking) done(report);
      } catch (error) {
        for (const { fail } of asking) fail(error);
        throw error;
      }
      if (!this.#asked && lost === undefined) await this.#sleep(this.#options.intervalSeconds * 1000, clock);
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
    }
  }

  async #learned(session: Session): Promise<void> {
    const { table, clock, store } = this.#options;
    // Another server answers at this address now: what the one before it offered has nobody to keep it fresh.
    for (const { serverId, url, name } of table.sources) {
      if (url !== this.address.url || serverId === session.peer.serverId) continue;
      sourceReplaced.publish({ source: url, before: name, now: session.peer.name });
      await store.dropPartition(serverId);
      await table.forget(serverId);
    }
    await table.note({
      serverId: session.peer.serverId,
      name: session.peer.name,
      url: this.address.url,
      lastLearnedAt: Math.floor(clock.now() / 1000),
    });
  }

  #ask(): void {
    this.#asked = true;
    this.#wake?.();
  }

  /** Wait until the time has passed or somebody wants something. */
  async #sleep(ms: number, clock: Clock): Promise<void> {
    const nap = new AbortController();
    this.#wake = () => nap.abort();
    if (this.#asked || this.#abort.signal.aborted) nap.abort();
    await clock.sleep(ms, nap.signal).catch(() => undefined);
    this.#wake = undefined;
  }

  #settle(
    tell: (waiter: { done: (report: RoundReport) => void; fail: (error: unknown) => void }) => void,
  ): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) tell(waiter);
  }

  #become(state: SourceStatus['state'], error?: unknown): void {
    const message = error === undefined ? null : error instanceof GarnerError ? error.message : String(error);
    if (state === this.state && message === this.error) return;
    this.state = state;
    this.error = message;
    sourceState.publish({ source: this.address.url, state, ...(message === null ? {} : { error: message }) });
  }
}

/** The Broker's part that asks its sources: at start, at each hint, and when a source has been silent for long. */
export class Collector implements AsyncDisposable {
  readonly #loops: readonly SourceLoop[];
  readonly #table: ObjectTable;

  constructor(options: CollectorOptions) {
    this.#table = options.table;
    this.#loops = options.sources.map((address) => new SourceLoop(address, options));
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /** Run a round with every source now (or with the one at this address); resolves when all have ended. */
  async collectNow(url?: string): Promise<readonly RoundReport[]> {
    const loops =
      url === undefined ? this.#loops : this.#loops.filter((loop) => loop.address.url === sourceAddress(url));
    if (url !== undefined && loops.length === 0)
      throw failure(brokerErrors.BROKER_NO_SOURCE, { source: url });
    return Promise.all(loops.map((loop) => loop.round()));
  }

  get status(): readonly SourceStatus[] {
    return this.#loops.map((loop) => {
      const row = loop.serverId === null ? undefined : this.#table.source(loop.serverId);
      return {
        url: loop.address.url,
        serverId: loop.serverId,
        name: row?.name ?? new URL(loop.address.url).host,
        state: loop.state,
        lastLearnedAt: row?.lastLearnedAt ?? null,
        error: loop.error,
        lastRound: loop.lastRound,
        lastChange: loop.lastChange,
      };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }
}
