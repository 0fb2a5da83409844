import {
  type CollectOptions,
  collect,
  exchangeErrors,
  type FilterSpec,
  type RoundReport,
  watchHints,
} from '../exchange/index.ts';
import { type Clock, failure, GarnerError, isGarnerError, type Random } from '../kernel/index.ts';
import type { Identity, ServerId } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { connect, type Session, type WireLimits, wireErrors } from '../wire/index.ts';
import { brokerErrors } from './errors.ts';
import { sourceReplaced, sourceState } from './events.ts';
import type { ObjectTable } from './object-table.ts';
import { measureOf, type PairBefore, RoundHistory, type RoundNote, roundNote } from './round-history.ts';

/** A source to collect from. */
export interface SourceAddress {
  /** ws: or wss: URL of a Gatherer or Broker. */
  readonly url: string;
  readonly token?: string;
  /** Which of its objects are wanted; all without. */
  readonly filter?: FilterSpec;
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
  /** Shown to a source that is not among these any more. */
  readonly token?: string;
  /** Insist on this scheme with every source instead of letting it choose. */
  readonly scheme?: string;
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
  /** Which of its objects are wanted. */
  readonly filter: FilterSpec | null;
  /** The last rounds since this Broker was opened, oldest first. */
  readonly rounds: readonly RoundNote[];
}

/** Who waits for a round, and what they ask of it. */
interface Waiter {
  readonly scheme: string | undefined;
  done(report: RoundReport): void;
  fail(error: unknown): void;
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

/** Whether a source refused the scheme that it was asked for. */
function isSchemeRefused(error: unknown): boolean {
  if (!isGarnerError(error, wireErrors.WIRE_REMOTE)) return false;
  return (error.data as { readonly code?: unknown }).code === exchangeErrors.EXCHANGE_SCHEME.code;
}

function addressOrUndefined(text: string): string | undefined {
  try {
    return sourceAddress(text);
  } catch {
    return undefined;
  }
}

/** One source: connects, collects, listens for hints, and begins again when the line is lost. */
class SourceLoop {
  state: SourceStatus['state'] = 'connecting';
  isStarted = false;
  error: string | null = null;
  serverId: ServerId | null = null;
  /** As it called itself when it was last connected to. */
  name: string | undefined;
  lastRound: RoundReport | null = null;
  lastChange: RoundReport | null = null;
  readonly address: SourceAddress;
  readonly #options: CollectorOptions;
  readonly #history: RoundHistory;
  /** Where a comparison that was cut goes on, whatever session it was cut in. */
  readonly #resume: NonNullable<CollectOptions['resume']> = {};
  readonly #abort = new AbortController();
  #asked = false;
  #wake: (() => void) | undefined;
  #waiters: Waiter[] = [];
  #done: Promise<void> = Promise.resolve();

  constructor(address: SourceAddress, options: CollectorOptions, history: RoundHistory) {
    this.address = address;
    this.#options = options;
    this.#history = history;
    this.serverId = options.table.sources.find((row) => row.url === address.url)?.serverId ?? null;
  }

  start(): void {
    this.isStarted = true;
    this.#done = this.#run();
  }

  /** Ask for a round now, by this scheme or as the source chooses; resolves with its report. */
  round(scheme?: string): Promise<RoundReport> {
    return new Promise((done, fail) => {
      this.#waiters.push({ scheme, done, fail });
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
    this.name = session.peer.name;
    const replica = await store.replica(this.serverId);
    const { filter } = this.address;
    const once = async (scheme = this.#options.scheme): Promise<RoundReport> => {
      const before = await replica.state();
      const report = await collect({
        session,
        replica,
        keyring: table,
        clock,
        name: session.peer.name,
        deleteGuard: this.#options.deleteGuard,
        resume: this.#resume,
        ...(filter === undefined ? {} : { filter }),
        ...(scheme === undefined ? {} : { scheme }),
        signal,
      });
      const after = await replica.state();
      const sameLife = before.marker !== undefined && before.marker.epoch === after.marker?.epoch;
      const pair = { held: before.count, lsn: sameLife ? before.marker.lsn : undefined };
      await this.#note(session.peer.serverId, report, pair, after.count);
      return report;
    };
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
        const report = await once(asking.find(({ scheme }) => scheme !== undefined)?.scheme);
        this.lastRound = report;
        if (report.learned + report.refreshed + report.forgotten > 0) this.lastChange = report;
        connected();
        await this.#learned(session);
        this.#become('ok');
        for (const { done } of asking) done(report);
      } catch (error) {
        for (const { fail } of asking) fail(error);
        // A scheme that somebody asked for by hand and that cannot be is no fault of the source.
        const byHand = asking.some(({ scheme }) => scheme !== undefined);
        if (!byHand || !isSchemeRefused(error)) throw error;
      }
      if (!this.#asked && lost === undefined) await this.#sleep(this.#options.intervalSeconds * 1000, clock);
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
    }
  }

  /** Keep what a round took. */
  async #note(source: ServerId, report: RoundReport, before: PairBefore, count: number): Promise<void> {
    const { table, clock, store } = this.#options;
    const round = roundNote(report, Math.floor(clock.now() / 1000));
    this.#history.note(source, round);
    const objectBytes = store.count === 0 ? undefined : store.bodyBytes / store.count;
    const measure = measureOf(round, before, { count, lsn: report.lsn, objectBytes });
    if (measure !== undefined) await table.measure(source, measure);
  }

  async #learned(session: Session): Promise<void> {
    const { table, clock, store } = this.#options;
    // Another server answers at this address now: what the one before it offered has nobody to keep it fresh.
    for (const { serverId, url, name } of table.sources) {
      if (url !== this.address.url || serverId === session.peer.serverId) continue;
      sourceReplaced.publish({ source: url, before: name, now: session.peer.name });
      await store.dropPartition(serverId);
      await table.forget(serverId);
      this.#history.forget(serverId);
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

  #settle(tell: (waiter: Waiter) => void): void {
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
  readonly #options: CollectorOptions;
  readonly #history = new RoundHistory();

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#loops = options.sources.map((address) => new SourceLoop(address, options, this.#history));
  }

  get isStarted(): boolean {
    return this.#loops.some((loop) => loop.isStarted);
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  /**
   * Run a round with every source now (or with the one at this address), by this scheme or as each source chooses;
   * resolves when all have ended.
   */
  async collectNow(url?: string, scheme?: string): Promise<readonly RoundReport[]> {
    const loops =
      url === undefined ? this.#loops : this.#loops.filter((loop) => loop.address.url === sourceAddress(url));
    if (url !== undefined && loops.length === 0)
      throw failure(brokerErrors.BROKER_NO_SOURCE, { source: url });
    return Promise.all(loops.map((loop) => loop.round(scheme)));
  }

  get status(): readonly SourceStatus[] {
    return this.#loops.map((loop) => {
      const row = loop.serverId === null ? undefined : this.#options.table.source(loop.serverId);
      return {
        url: loop.address.url,
        serverId: loop.serverId,
        // A first round may take long, and what it has learned is found meanwhile.
        name: loop.name ?? row?.name ?? new URL(loop.address.url).host,
        state: loop.isStarted ? loop.state : 'down',
        lastLearnedAt: row?.lastLearnedAt ?? null,
        error: loop.error,
        lastRound: loop.lastRound,
        lastChange: loop.lastChange,
        filter: loop.address.filter ?? null,
        rounds: loop.serverId === null ? [] : this.#history.of(loop.serverId),
      };
    });
  }

  /** The source of this address, name or server id, one that is no longer asked too. Throws BROKER_NO_SOURCE. */
  find(text: string): SourceAddress {
    const status = this.status;
    const address = addressOrUndefined(text);
    const at = status.findIndex(
      ({ url, name, serverId }) => url === address || name === text || serverId === text,
    );
    const loop = this.#loops[at];
    if (loop !== undefined) return loop.address;
    const { table, token } = this.#options;
    const row = table.sources.find(
      ({ url, name, serverId }) => url === address || name === text || serverId === text,
    );
    if (row === undefined) throw failure(brokerErrors.BROKER_NO_SOURCE, { source: text.slice(0, 200) });
    return { url: row.url, ...(token === undefined ? {} : { token }) };
  }

  /** What predicts and measures the schemes for a source. */
  get options(): CollectorOptions {
    return this.#options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }
}
