import {
  type CollectOptions,
  collect,
  collectPaths,
  type RoundReport,
  withIdleTimeout,
} from '../../exchange/index.ts';
import { failure, GarnerError } from '../../kernel/index.ts';
import { type ServerId, successionOf } from '../../soif/index.ts';
import { serverOf } from '../../store/index.ts';
import type { Peer, Session } from '../../wire/index.ts';
import { brokerErrors } from '../errors.ts';
import { sourceReplaced, sourceState } from '../events.ts';
import type { CollectorOptions, SourceState, SourceStatus } from './collector-options.ts';
import type { SourceRoom } from './quotas.ts';
import { measureOf, type PairBefore, type RoundHistory, roundNote } from './round-history.ts';
import type { RoundTurns } from './round-turns.ts';
import { copyOf, type SourceAddress } from './source-address.ts';

/** Max time until the disk is looked at again. */
const noRoomSeconds = 60;

/** State shared by the sources of one Collector. */
export interface Collecting {
  readonly options: CollectorOptions;
  readonly history: RoundHistory;
  readonly turns: RoundTurns;
}

/** Max sessions of a source whose pushes wait for a round. More mean that one identity runs many times. */
const maxPushes = 4;

/** One source: its state, its rounds in sequence, and the session over which it pushes, if it does. */
export abstract class CollectedSource {
  isStarted = false;
  /** The server id, proved in a handshake or named by the operator. */
  serverId: ServerId | null;
  readonly address: SourceAddress;
  protected readonly options: CollectorOptions;
  protected readonly abort = new AbortController();
  /** The name it gave in its last session. */
  protected calledItself: string | undefined;
  protected state: SourceState;
  #intervalSeconds: number | undefined;
  #done: Promise<void> = Promise.resolve();
  #error: string | null = null;
  #lastRound: RoundReport | null = null;
  #lastChange: RoundReport | null = null;
  #pushing: { readonly session: Session; isWell: boolean } | undefined;
  /** Rounds that pushes wait for and that have not started. */
  readonly #pushes = new Map<Session, Promise<RoundReport>>();
  readonly #history: RoundHistory;
  readonly #turns: RoundTurns;
  /** Why objects of the last round were left out, if some were. */
  #full: GarnerError | undefined;
  /** Where an interrupted comparison resumes, in whatever session it was cut. */
  readonly #resume: NonNullable<CollectOptions['resume']> = {};

  constructor(address: SourceAddress, { options, history, turns }: Collecting, state: SourceState) {
    this.address = address;
    this.options = options;
    this.state = state;
    this.#intervalSeconds = address.intervalSeconds;
    this.#history = history;
    this.#turns = turns;
    const row = options.table.sources.find(({ url }) => url === address.url);
    this.serverId = address.pusher?.serverId ?? (row === undefined ? null : serverOf(row.serverId));
  }

  start(): void {
    this.isStarted = true;
    this.#done = this.follow();
  }

  /** Run rounds until the source is stopped. */
  protected abstract follow(): Promise<void>;

  /** Request a round now, by this scheme or as the source chooses. Resolves with its report. */
  abstract round(scheme?: string): Promise<RoundReport>;

  /** Stop. Running and requested rounds fail with this reason. */
  async stop(reason?: Error): Promise<void> {
    this.abort.abort(reason);
    await this.#done;
  }

  /** Whether the operator has paused it. */
  get isPaused(): boolean {
    return this.address.isPaused === true;
  }

  /** Max time between two rounds. */
  get intervalSeconds(): number {
    return this.#intervalSeconds ?? this.options.intervalSeconds();
  }

  /** Set the time between rounds, counted from now; undefined for the Broker's own. */
  pace(seconds: number | undefined): void {
    this.#intervalSeconds = seconds;
    this.paced();
  }

  /** The time between rounds has changed. */
  abstract paced(): void;

  /** Update the state after news of the session over which the source pushes. */
  protected abstract pushMeant(news: 'begins' | 'learned' | 'failed' | 'disconnected', error?: unknown): void;

  /** Whether this is the named server, or the one that answered at a named address. */
  isPeer(peer: Peer): boolean {
    // A server that pushes offers all of its objects, and no view.
    if (this.address.filter?.view !== undefined) return false;
    const key = this.address.pusher?.publicKey;
    if (key !== undefined && !hasHadKey(peer, key)) return false;
    return this.serverId === peer.serverId;
  }

  /** The session over which the source pushes, while it is open. */
  get pushSession(): Session | undefined {
    return this.#pushing?.session;
  }

  /** Run a round over a session that the source opened. Waiting pushes share one. Throws BROKER_PUSHES. */
  pushed(session: Session): Promise<RoundReport> {
    const waiting = this.#pushes.get(session);
    if (waiting !== undefined) return waiting;
    if (this.#pushes.size >= maxPushes)
      throw failure(brokerErrors.BROKER_PUSHES, { server: session.peer.serverId, sessions: maxPushes });
    const round = this.#pushedRound(session);
    this.#pushes.set(session, round);
    return round;
  }

  get status(): SourceStatus {
    const { address } = this;
    const serverId = this.serverId && copyOf(address, this.serverId);
    const row = serverId === null ? undefined : this.options.table.source(serverId);
    const isPushed = this.#pushing?.isWell === true;
    const [learnedState, left] = this.learnedState;
    return {
      url: address.url,
      serverId,
      // A first round may take long, and its objects can be found before it ends.
      name: address.pusher?.name ?? this.#named(this.calledItself) ?? row?.name ?? this.#place(),
      role: row?.role ?? null,
      state: this.isPaused ? 'paused' : !this.isStarted ? 'down' : isPushed ? learnedState : this.state,
      lastLearnedAt: row?.lastLearnedAt ?? null,
      error:
        (isPushed ? left?.message : this.#error) ??
        (serverId && this.options.trouble?.(serverId)?.message) ??
        null,
      lastRound: this.#lastRound,
      lastChange: this.#lastChange,
      filter: address.filter ?? null,
      intervalSeconds: this.intervalSeconds,
      from: address.from ?? null,
      rounds: serverId === null ? [] : this.#history.of(serverId),
    };
  }

  /** The name for the collected part of a server of that name. */
  #named(name: string | undefined): string | undefined {
    const view = this.address.filter?.view;
    return name === undefined || view === undefined ? name : `${name}: ${view}`;
  }

  #place(): string {
    return this.address.pusher?.serverId ?? new URL(this.address.url).host;
  }

  /** One round over this session, in its turn. `begun` is called when it starts. */
  protected async run(session: Session, scheme?: string, begun?: () => void): Promise<RoundReport> {
    const report = await this.#turns.take(copyOf(this.address, session.peer.serverId), async () => {
      begun?.();
      this.abort.signal.throwIfAborted();
      return this.#collect(session, scheme ?? this.options.scheme);
    });
    this.#lastRound = report;
    if (report.learned + report.refreshed + report.forgotten > 0) this.#lastChange = report;
    await this.#learned(session);
    return report;
  }

  /** The state after a round that ended well, and what to say about it. */
  protected get learnedState(): readonly [SourceState, GarnerError?] {
    return this.#full === undefined ? ['ok'] : ['full', this.#full];
  }

  /** The seconds to the next round. */
  protected get waitSeconds(): number {
    return this.state === 'no room' ? Math.min(noRoomSeconds, this.intervalSeconds) : this.intervalSeconds;
  }

  protected become(state: SourceState, error?: unknown): void {
    const message = error === undefined ? null : error instanceof GarnerError ? error.message : String(error);
    if (state === this.state && message === this.#error) return;
    this.state = state;
    this.#error = message;
    sourceState.publish({ source: this.address.url, state, ...(message === null ? {} : { error: message }) });
  }

  async #pushedRound(session: Session): Promise<RoundReport> {
    this.#attach(session);
    try {
      const report = await this.run(session, undefined, () => this.#pushes.delete(session));
      this.#pushEnded(session, true);
      return report;
    } catch (error) {
      this.#pushEnded(session, false, error);
      throw error;
    }
  }

  #attach(session: Session): void {
    this.calledItself = session.peer.name;
    if (this.#pushing?.session === session) return;
    this.#pushing = { session, isWell: false };
    this.pushMeant('begins');
    void session.closed.then(() => {
      if (this.#pushing?.session !== session) return;
      this.#pushing = undefined;
      this.pushMeant('disconnected');
    });
  }

  #pushEnded(session: Session, isWell: boolean, error?: unknown): void {
    const pushing = this.#pushing?.session === session ? this.#pushing : undefined;
    if (pushing !== undefined) pushing.isWell = isWell;
    // The end of a replaced session says nothing about the source's state.
    else if (this.#pushing !== undefined) return;
    if (!isWell) this.pushMeant(pushing === undefined ? 'disconnected' : 'failed', error);
    else if (pushing !== undefined) this.pushMeant('learned');
  }

  async #collect(session: Session, scheme: string | undefined): Promise<RoundReport> {
    const { store, clock, deleteGuard, silenceSeconds } = this.options;
    const { name } = session.peer;
    const source = copyOf(this.address, session.peer.serverId);
    const { filter } = this.address;
    const { signal } = this.abort;
    await this.options.quotas?.checkDisk();
    const replica = await store.replica(source);
    const before = await replica.state();
    const guarded = this.options.guard(replica, source);
    const asking = {
      ...{ name, signal, session: withIdleTimeout(session, { clock, seconds: silenceSeconds }) },
      ...(filter === undefined ? {} : { filter }),
    };
    let room: SourceRoom | undefined;
    const round = () => {
      room = this.options.quotas?.room(source, replica, this.address);
      return collect({
        ...{ ...asking, keyring: this.options.keyring(), clock, deleteGuard, resume: this.#resume },
        replica: room?.guard(guarded) ?? guarded,
        ...(room === undefined ? {} : { room }),
        ...(scheme === undefined ? {} : { scheme }),
      });
    };
    let report = await round();
    // The content of objects that this Broker had refused is missing when they come another way.
    if (session.peer.role === 'broker' && (await this.#paths(asking, replica, source)) > 0)
      report = together(report, await round());
    this.#full = room?.full;
    const after = await replica.state();
    const sameLife = before.marker !== undefined && before.marker.epoch === after.marker?.epoch;
    const pair = { held: before.count, lsn: sameLife ? before.marker.lsn : undefined };
    await this.#note(source, report, pair, after.count);
    return report;
  }

  /** Learn the servers by which the objects have come. Resolves to the number of objects to learn again. */
  async #paths(
    asking: Pick<CollectOptions, 'session' | 'name' | 'signal' | 'filter'>,
    replica: CollectOptions['replica'],
    source: ServerId,
  ): Promise<number> {
    const { store, identity } = this.options;
    const { marker, count: held } = await replica.state();
    if (marker === undefined) return 0;
    const book = await store.paths(source);
    return collectPaths({ ...asking, book, self: identity.serverId, marker, held });
  }

  async #note(source: ServerId, report: RoundReport, before: PairBefore, count: number): Promise<void> {
    const { table, clock, store } = this.options;
    const round = roundNote(report, Math.floor(clock.now() / 1000));
    this.#history.note(source, round);
    const objectBytes = store.count === 0 ? undefined : store.bodyBytes / store.count;
    const measure = measureOf(round, before, { count, lsn: report.lsn, objectBytes });
    // What was left out makes a scheme look costly.
    if (measure !== undefined && this.#full === undefined) await table.measure(source, measure);
  }

  async #learned(session: Session): Promise<void> {
    const { table, clock, store } = this.options;
    const source = copyOf(this.address, session.peer.serverId);
    // Another server answers at this address now, so nothing refreshes the objects of the one before it.
    for (const { serverId, url, name } of table.sources) {
      if (url !== this.address.url || serverId === source) continue;
      sourceReplaced.publish({ source: url, before: name, now: session.peer.name });
      await this.#turns.take(serverId, () => store.dropPartition(serverId));
      await table.forget(serverId);
      this.#history.forget(serverId);
    }
    await table.note({
      serverId: source,
      name: this.#named(session.peer.name) ?? '',
      url: this.address.url,
      lastLearnedAt: Math.floor(clock.now() / 1000),
      role: session.peer.role,
      ...(this.address.from !== undefined && { from: this.address.from }),
    });
  }
}

function together(first: RoundReport, second: RoundReport): RoundReport {
  return {
    ...second,
    schemes: [...first.schemes, ...second.schemes],
    learned: first.learned + second.learned,
    refreshed: first.refreshed + second.refreshed,
    forgotten: first.forgotten + second.forgotten,
    rounds: first.rounds + second.rounds,
    bytesUp: first.bytesUp + second.bytesUp,
    bytesDown: first.bytesDown + second.bytesDown,
    ms: first.ms + second.ms,
  };
}

/** Whether a peer has proven this key (base64url), or one that succeeds it. */
function hasHadKey({ serverId, publicKey, succession = [] }: Peer, key: string): boolean {
  const found = successionOf(serverId, succession);
  const isProven = found !== undefined && Buffer.compare(found.current, publicKey) === 0;
  const keys = isProven ? [...found.valid, ...found.revoked] : [publicKey];
  return keys.some((one) => Buffer.from(one).toString('base64url') === key);
}
