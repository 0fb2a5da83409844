import type { Random } from '../../kernel/index.ts';
import type { IcpReplyName } from './icp.ts';
import type { UdpPlace } from './udp-socket.ts';

/** Questions that may be open at once; the oldest is forgotten for one more. */
const maxOpen = 16_384;

interface Question {
  readonly to: UdpPlace;
  readonly url: string;
  readonly answered: (reply: IcpReplyName) => void;
}

/**
 * Questions that wait for their answers, by numbers nobody can guess: an answer counts when it comes from where the
 * question went, bears its number, and speaks of its URL.
 */
export class PendingQueries {
  readonly #open = new Map<number, Question>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** A number for a question that is about to be sent. */
  ask(question: Question): number {
    if (this.#open.size >= maxOpen) {
      const oldest = this.#open.keys().next();
      if (!oldest.done) this.#open.delete(oldest.value);
    }
    let number = 0;
    do {
      const [a = 0, b = 0, c = 0, d = 0] = this.#random.bytes(4);
      number = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
    } while (number === 0 || this.#open.has(number));
    this.#open.set(number, question);
    return number;
  }

  /** Whether this was an answer to a question; it is told then, once. Without a URL the number alone is compared. */
  answered(number: number, from: UdpPlace, reply: IcpReplyName, url?: string): boolean {
    const question = this.#open.get(number);
    if (question === undefined || (url !== undefined && question.url !== url)) return false;
    if (question.to.address !== from.address || question.to.port !== from.port) return false;
    this.#open.delete(number);
    question.answered(reply);
    return true;
  }

  /** No answer is waited for any longer. */
  forget(number: number): void {
    this.#open.delete(number);
  }
}
