import type { Clock } from '../../kernel/index.ts';
import type { RawFields } from '../rules/index.ts';
import type { Peer } from './peer.ts';
import { Resolution, type Resolved } from './resolution.ts';
import { Timeouts } from './timeouts.ts';

/** Rounds that may run at once; a miss beyond them is resolved without questions. */
const maxRounds = 4096;

/** Nobody is given up sooner: a cache that collects its garbage, or whose machine is busy, may take so long. */
const minPatienceMs = 150;
/** A timer that fires so late says that this process was busy. */
const lateMs = 10;
/** An answer that takes longer than this to begin is no hit. */
const askAfterMs = 50;
/** Who is sent requests without a question is asked beside one of them this often. */
const askAgainMs = 10_000;
/** A round in which the origin takes no part lasts so many times as long. */
const withoutOrigin = 5;

export interface PeerRoundsOptions {
  /** Send a question; `answered` is called at most once, and not after the question is forgotten by what is given back. */
  readonly ask: (
    peer: Peer,
    url: string,
    fields: RawFields,
    answered: (reply: Parameters<Peer['heard']>[0]) => void,
  ) => () => void;
  /** Resolves when the origin answered, if it may race with the peers; never when it does not answer. */
  readonly probeOrigin?: ((url: string, signal: AbortSignal) => Promise<void>) | undefined;
  /** After this time the origin takes part, or sooner when peers take longer than they use to; 0 when absent. */
  readonly raceAfterMs?: number | undefined;
  readonly clock: Clock;
  /** How long an answer is waited for, at most. */
  readonly timeoutMs: number;
}

/** Asks peers about URLs and waits for what `Resolution` needs; each peer learns whether it answered. */
export class PeerRounds implements Disposable {
  readonly #options: PeerRoundsOptions;
  readonly #running = new Set<AbortController>();
  readonly #late: Timeouts;

  constructor(options: PeerRoundsOptions) {
    this.#options = options;
    this.#late = new Timeouts(options.clock, askAfterMs);
  }

  /** Rounds for which an answer may still come. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether this peer need not be asked before it is sent a request: it is known well, and answers sooner than an origin. */
  isSure(peer: Peer): boolean {
    const { probeOrigin, raceAfterMs = 0, timeoutMs } = this.#options;
    const { patienceMs = Number.POSITIVE_INFINITY, isSure } = peer;
    return isSure && patienceMs < (probeOrigin ? raceAfterMs : timeoutMs);
  }

  /** Ask those of these who may be asked. Rejects with the signal's reason when it aborts first. */
  async resolve(
    peers: readonly Peer[],
    url: string,
    fields: RawFields,
    signal: AbortSignal,
  ): Promise<Resolved<Peer>> {
    signal.throwIfAborted();
    const startMs = this.#options.clock.now();
    const asked = peers.filter((peer) => peer.askable(startMs));
    if (asked.length === 0 || this.#running.size >= maxRounds) return { because: 'no-answer' };
    return new Promise((resolve, reject) => {
      const left = () => reject(signal.reason);
      signal.addEventListener('abort', left, { once: true });
      this.#run(asked, url, fields, (outcome) => {
        signal.removeEventListener('abort', left);
        resolve(outcome);
      });
    });
  }

  /** One round, to its end: answers that come after it is decided still say that a peer lives. */
  #run(
    asked: readonly Peer[],
    url: string,
    fields: RawFields,
    decide: (outcome: Resolved<Peer>) => void,
  ): void {
    const { clock, timeoutMs } = this.#options;
    const startMs = clock.now();
    const expected = asked.filter((peer) => peer.expected);
    const round = new Resolution(expected);
    const [decided, over] = [new AbortController(), new AbortController()];
    const silent = new Map<Peer, () => void>(asked.map((peer) => [peer, () => {}]));
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
    for (const peer of asked) {
      peer.asked(startMs);
      const forget = this.#options.ask(peer, url, fields, (reply) => {
        silent.delete(peer);
        peer.heard(reply, Math.max(0, clock.now() - startMs), clock.now());
        // What a lame parent has not it cannot fetch either.
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
    // An origin that cannot be reached takes no part in the race.
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

  /** Wait; when this process was late itself, answers may have come that it has not read. */
  async #patiently(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const dueMs = clock.now() + ms;
    await clock.sleep(ms, signal);
    if (clock.now() - dueMs >= lateMs) await clock.sleep(1, signal);
  }

  /**
   * Watch over a request that a peer was sent without a question: when its answer has not begun soon, the question is
   * asked after all, and `giveUp` called, once, when that says that the request should rather have gone to the origin.
   * What is given back ends the watch.
   */
  watch(peer: Peer, url: string, fields: RawFields, giveUp: () => void): () => void {
    let asking: AbortController | undefined;
    const ask = () => {
      // One that is not asked for want of room is not silent.
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

  /** Nobody is waited for any longer. */
  [Symbol.dispose](): void {
    this.#late[Symbol.dispose]();
    for (const over of this.#running) over.abort();
  }
}

/** How long it is worth waiting for all of these, by how long they took before. */
function patienceWith(peers: readonly Peer[]): number {
  let maxMs = minPatienceMs;
  for (const { patienceMs = Number.POSITIVE_INFINITY } of peers) maxMs = Math.max(maxMs, patienceMs);
  return maxMs;
}
