import type { Clock } from '../../kernel/index.ts';
import type { RawFields } from '../rules/index.ts';
import type { Peer } from './peer.ts';
import { Resolution, type Resolved } from './resolution.ts';

/** Rounds that may run at once; a miss beyond them is resolved without questions. */
const maxRounds = 4096;

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
  readonly clock: Clock;
  /** How long an answer is waited for. */
  readonly timeoutMs: number;
}

/** Asks peers about URLs and waits for what `Resolution` needs; each peer learns whether it answered. */
export class PeerRounds implements Disposable {
  readonly #options: PeerRoundsOptions;
  readonly #running = new Set<AbortController>();

  constructor(options: PeerRoundsOptions) {
    this.#options = options;
  }

  /** Rounds for which an answer may still come. */
  get running(): number {
    return this.#running.size;
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
    const { clock, timeoutMs, probeOrigin } = this.#options;
    const startMs = clock.now();
    const round = new Resolution(asked.filter(({ expected }) => expected));
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
        peer.heard(reply, Math.max(0, clock.now() - startMs));
        round.answered(peer, reply);
        look();
      });
      if (silent.has(peer)) silent.set(peer, forget);
    }
    look();
    void clock.sleep(timeoutMs, over.signal).then(() => {
      for (const peer of silent.keys()) peer.unanswered();
      end();
    }, end);
    if (probeOrigin === undefined || decided.signal.aborted) return;
    void probeOrigin(url, decided.signal).then(
      () => {
        round.originAnswered();
        for (const peer of round.silent) peer.overdue();
        look();
      },
      // An origin that cannot be reached takes no part in the race.
      () => {},
    );
  }

  /** Nobody is waited for any longer. */
  [Symbol.dispose](): void {
    for (const over of this.#running) over.abort();
  }
}
