import { admitPeerKey, exchangeErrors, pushRefused, type RoundReport } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import type { Peer, Session } from '../../wire/index.ts';
import { brokerErrors } from '../errors.ts';
import type { CollectedSource, Collecting } from './collected-source.ts';
import type { CollectorOptions, SourceStatus } from './collector-options.ts';
import { DialledSource } from './dialled-source.ts';
import { PushedSource } from './pushed-source.ts';
import { Revocations } from './revocations.ts';
import { RoundHistory } from './round-history.ts';
import { RoundTurns } from './round-turns.ts';
import { type SourceAddress, sourceAddress, sourceFrom } from './source-address.ts';

function addressOrUndefined(text: string): string | undefined {
  try {
    return sourceAddress(text);
  } catch {
    return undefined;
  }
}

/** Runs rounds with sources: at start, at hints, when a source pushes, and when one is silent for long. */
export class Collector implements AsyncDisposable {
  #sources: readonly CollectedSource[];
  readonly #options: CollectorOptions;
  readonly #turns = new RoundTurns();
  readonly #history = new RoundHistory();
  readonly #revocations: Revocations;
  #isStarted = false;
  /** Whether a Gatherer of this process still gathers for the first time, so that more objects will come. */
  isFilling = false;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#sources = options.sources.map((address) => this.#made(address));
    const { store, table } = options;
    this.#revocations = new Revocations({
      ...{ store, table },
      collect: () => this.collectNow(),
      rounds: () => this.#turns.begun(),
    });
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  start(): void {
    this.#isStarted = true;
    this.#revocations.start();
    for (const source of this.#sources) if (!source.isPaused) source.start();
  }

  /** Whether one of the sources is this server. */
  knows(peer: Peer): boolean {
    return this.#sources.some((source) => source.isPeer(peer));
  }

  /** Whether there is a source with this normalised address. */
  has(url: string): boolean {
    return this.#sources.some(({ address }) => address.url === url);
  }

  /** Collect from this source from now on. It replaces the source of the same address. */
  async put(address: SourceAddress): Promise<void> {
    const source = this.#made(address);
    const before = this.#sources.find((other) => other.address.url === address.url);
    this.#sources =
      before === undefined
        ? [...this.#sources, source]
        : this.#sources.map((other) => (other === before ? source : other));
    const { url } = address;
    await before?.stop(source.isPaused ? failure(brokerErrors.BROKER_PAUSED, { source: url }) : undefined);
    if (this.#isStarted && !source.isPaused) source.start();
  }

  /** Stop collecting from the source of this address. Its objects stay. */
  async drop(url: string): Promise<void> {
    const source = this.#sources.find(({ address }) => address.url === url);
    if (source === undefined) return;
    this.#sources = this.#sources.filter((other) => other !== source);
    await source.stop(failure(brokerErrors.BROKER_NO_SOURCE, { source: url }));
  }

  /** Set the time between rounds of this source, or of all that have none of their own. */
  pace(url?: string, seconds?: number): void {
    for (const source of this.#sources)
      if (url === undefined) source.paced();
      else if (source.address.url === url) source.pace(seconds);
  }

  /** Remove a server that is no source any longer, and its own objects, after its round has ended. */
  async forget(server: ServerId): Promise<void> {
    const { store, table } = this.#options;
    await this.#turns.take(server, () => store.dropPartition(server));
    await table.forget(server);
    this.#history.forget(server);
  }

  #made(given: SourceAddress): CollectedSource {
    const { token } = this.#options;
    const address = token === undefined ? given : { token, ...given };
    const collecting: Collecting = { options: this.#options, history: this.#history, turns: this.#turns };
    return address.pusher === undefined
      ? new DialledSource(address, collecting)
      : new PushedSource(address, collecting);
  }

  /**
   * Run a round with every source now (or with the one at this address), by this scheme or as each source
   * chooses. Resolves when all have ended. Paused sources and disconnected ones that push are left out; named
   * ones throw BROKER_PAUSED and BROKER_AWAITS_PUSH.
   */
  async collectNow(url?: string, scheme?: string): Promise<readonly RoundReport[]> {
    const named = url === undefined ? undefined : sourceAddress(url);
    const chosen = this.#sources.filter(({ address, pushSession, isPaused }) =>
      named === undefined
        ? !isPaused && (address.pusher === undefined || pushSession !== undefined)
        : address.url === named,
    );
    if (url !== undefined && chosen.length === 0)
      throw failure(brokerErrors.BROKER_NO_SOURCE, { source: url });
    if (chosen.some(({ isPaused }) => isPaused))
      throw failure(brokerErrors.BROKER_PAUSED, { source: url ?? '' });
    return Promise.all(chosen.map((source) => source.round(scheme)));
  }

  /**
   * Run a round over a session that a source has opened to push. Throws EXCHANGE_PUSH for a server that is
   * not a source here, EXCHANGE_KEY for another server with a source's id, BROKER_PUSHES, and the errors of a
   * round.
   */
  async pushed(session: Session): Promise<RoundReport> {
    const { peer } = session;
    const source = this.#sources.find((candidate) => candidate.isPeer(peer));
    if (source === undefined)
      throw failure(exchangeErrors.EXCHANGE_PUSH, pushRefused(this.#options.name, peer));
    if (source.isPaused) throw failure(brokerErrors.BROKER_PAUSED, { source: source.address.url });
    // Checked before it may wait, so that a server without the source's key cannot crowd it out.
    await admitPeerKey(this.#options.table, peer);
    return source.pushed(session);
  }

  get status(): readonly SourceStatus[] {
    return this.#sources.map(({ status }) => status);
  }

  /** The source of this address, name or server id, also a former one. Throws BROKER_NO_SOURCE. */
  find(text: string): SourceAddress {
    const address = addressOrUndefined(text);
    const isMeant = ({ url, name, serverId }: Pick<SourceStatus, 'url' | 'name' | 'serverId'>) =>
      url === address || name === text || serverId === text;
    const source = this.#sources.find(({ status }) => isMeant(status));
    if (source !== undefined) return source.address;
    const { table, token } = this.#options;
    const row = table.sources.find(isMeant);
    if (row === undefined) throw failure(brokerErrors.BROKER_NO_SOURCE, { source: text.slice(0, 200) });
    return { ...sourceFrom(row.url), ...(token === undefined ? {} : { token }) };
  }

  /** The inputs for predicting and measuring the schemes of a source. */
  get options(): CollectorOptions {
    return this.#options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#revocations[Symbol.asyncDispose]();
    await Promise.all([ended, ...this.#sources.map((source) => source.stop())]);
    // A pushed round belongs to no source's loop.
    await this.#turns.idle();
  }
}
