import type { Clock } from '../../kernel/index.ts';
import type { RawFields } from '../rules/index.ts';
import type { Peer } from './peer.ts';
import { Resolution, type Resolved } from './resolution.ts';
import { Timeouts } from './timeouts.ts';

/** Max rounds at a time; further misses are resolved without queries. */
const maxRounds = 4096;

/** The min patience for a peer: garbage collection or a busy machine may take this long. */
const minPatienceMs = 150;
/** A timer that fires this much too late shows that this process was busy. */
const lateMs = 10;
/** A request sent without a query gets one when its answer takes longer than this to begin: then it is no hit. */
const askAfterMs = 50;
/** A peer that gets requests without a query is still queried at this interval. */
const askAgainMs = 10_000;
/** Without the origin, a round takes this many times as long. */
const withoutOrigin = 5;

export interface PeerRoundsOptions {
  /** Send a query; `answered` is called at most once, and not after the returned function was called. */
  readonly ask: (
    peer: Peer,
    url: string,
    fields: RawFields,
    answered: (reply: Parameters<Peer['heard']>[0]) => void,
  ) => () => void;
  /** Resolves when the origin answered, if it may join the race; never when it does not answer. */
  readonly probeOrigin?: ((url: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** The time until the origin joins, or less when peers take longer than usual; 0 when absent. */
  readonly raceAfterMs?: number | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Queries peers for URLs and waits until `Resolution` has decided; each peer's state is updated. */
export class PeerRounds implements Disposable {
  readonly #options: PeerRoundsOptions;
  readonly #running = new Set<AbortController>();
  readonly #late: Timeouts;

  constructor(options: PeerRoundsOptions) {
    this.#options = options;
    this.#late = new Timeouts(options.clock, askAfterMs);
  }

  /** Rounds with queries still open. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether this peer needs no query before a request: it is well known, and answers sooner than an origin. */
  isSure(peer: Peer): boolean {
    const { probeOrigin, raceAfterMs = 0, timeoutMs } = this.#options;
    const { patienceMs = Number.POSITIVE_INFINITY, isSure } = peer;
    return isSure && patienceMs < (probeOrigin ? raceAfterMs : timeoutMs);
  }

  /** Query the given peers, as far as they may be queried. Rejects with the signal's reason when it aborts first. */
  async resolve(
    peers: readonly Peer[],
    url: string,
    fields: RawFields,
    signal: AbortSignal,
  ): Promise<Resolved<Peer>> {
    signal.throwIfAborted();
    const startMs = this.#options.clock.now();
    const queried = peers.filter((peer) => peer.askable(startMs));
    if (queried.length === 0 || this.#running.size >= maxRounds) return { because: 'no-answer' };
    return new Promise((resolve, reject) => {
      const left = () => reject(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      this.#run(queried, url, fields, (outcome) => {
        signal.removeEventListener('abort', left);
        resolve(outcome);
      });
    });
  }

  /** One round, to its end: answers after its decision still show that a peer is alive. */
  #run(
    queried: readonly Peer[],
    url: string,
    fields: RawFields,
    decide: (outcome: Resolved<Peer>) => void,
  ): void {
    const { clock, timeoutMs } = this.#options;
    const startMs = clock.now();
    const expected = queried.filter((peer) => peer.expected);
    const round = new Resolution(expected);
    const [decided, over] = [new AbortController(), new AbortController()];
    const silent = new Map<Peer, () => void>(queried.map((peer) => [peer, () => {}]));
    const look = () => {
      if (round.outcome !== undefined && !decided.signal.aborted) {
        decided.abort();
        decide(round.outcome);
      }
      if (silent.size === 0) over.abort();
    };
    const end = () => {
      this.#running.delete(over);
      for (const forget of silent.values()) forget();
      round.timeOver();
      look();
    };
    this.#running.add(over);
    for (const peer of queried) {
      peer.queried(startMs);
      const forget = this.#options.ask(peer, url, fields, (reply) => {
        silent.delete(peer);
        peer.heard(reply, Math.max(0, clock.now() - startMs), clock.now());
        // A lame parent cannot fetch what it does not have stored.
        round.answered(peer, reply === 'miss' && peer.isLame(startMs) ? 'miss-no-fetch' : reply);
        look();
      });
      if (silent.has(peer)) silent.set(peer, forget);
    }
    look();
    void clock.sleep(timeoutMs, over.signal).then(() => {
      for (const peer of silent.keys()) peer.unanswered();
      end();
    }, end);
    if (decided.signal.aborted) return;
    const giveUp = (how: () => void) => {
      for (const peer of round.silent) peer.overdue();
      how();
      look();
    };
    const patienceMs = patienceWith(expected);
    // An unreachable origin does not join the race.
    void this.#originAnswers(url, patienceMs, decided.signal).then(
      () => giveUp(() => round.originAnswered()),
      () => {},
    );
    const waitMs = patienceMs * withoutOrigin;
    if (waitMs < timeoutMs)
      void this.#patiently(waitMs, decided.signal).then(
        () => giveUp(() => round.timeOver()),
        () => {},
      );
  }

  async #originAnswers(url: string, patienceMs: number, signal: AbortSignal): Promise<void> {
    const { probeOrigin, raceAfterMs = 0 } = this.#options;
    if (probeOrigin === undefined) throw new Error('no origin in this race');
    if (raceAfterMs > 0) await this.#patiently(Math.min(raceAfterMs, patienceMs), signal);
    await probeOrigin(url, signal);
  }

  /** Wait; if this process itself was late, unread answers may have arrived, so it yields once more. */
  async #patiently(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const dueMs = clock.now() + ms;
    await clock.sleep(ms, signal);
    if (clock.now() - dueMs >= lateMs) await clock.sleep(1, signal);
  }

  /**
   * Query a peer after all when the answer to a request sent to it is slow; `giveUp` is called when it should
   * have gone to the origin. Returns the function that ends the watch.
   */
  watch(peer: Peer, url: string, fields: RawFields, giveUp: () => void): () => void {
    let asking: AbortController | undefined;
    const ask = () => {
      // A peer without a query for want of room is not silent.
      if (this.#running.size >= maxRounds) return;
      asking = new AbortController();
      void this.resolve([peer], url, fields, asking.signal).then(
        ({ because }) => {
          if (because === 'origin-first' || because === 'no-answer') giveUp();
        },
        () => {},
      );
    };
    const isOld = this.#options.clock.now() - peer.heardMs >= askAgainMs;
    const end = isOld ? ask() : this.#late.begin(ask);
    return () => {
      end?.();
      asking?.abort();
    };
  }

  [Symbol.dispose](): void {
    this.#late[Symbol.dispose]();
    for (const over of this.#running) over.abort();
  }
}

/** The max time worth waiting for all of these peers, by their earlier answers. */
function patienceWith(peers: readonly Peer[]): number {
  let maxMs = minPatienceMs;
  for (const { patienceMs = Number.POSITIVE_INFINITY } of peers) maxMs = Math.max(maxMs, patienceMs);
  return maxMs;
}
