import type { ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';

/** The bounds of answers that stay open. */
export interface StandingLimits {
  readonly maxStanding: number;
  /** Max for each client address, so that one caller cannot take all. */
  readonly clientStanding: number;
}

interface Standing {
  readonly controller: AbortController;
  readonly client: string;
}

/** The answers that stay open, within a bound for all and a bound for each client. */
export class StandingAnswers {
  readonly #limits: StandingLimits;
  readonly #answers = new Map<ServerResponse, Standing>();
  /** Only clients with open answers, so max `maxStanding` entries. */
  readonly #byClient = new Map<string, number>();

  constructor(limits: StandingLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#answers.size;
  }

  has(response: ServerResponse): boolean {
    return this.#answers.has(response);
  }

  /** Count an answer until `leave`. Throws HTTP_STANDING_BUSY at either bound. */
  add(response: ServerResponse, controller: AbortController): void {
    const client = clientOf(response.req.socket.remoteAddress ?? '');
    const { maxStanding, clientStanding } = this.#limits;
    const open = this.#byClient.get(client) ?? 0;
    if (this.#answers.size >= maxStanding)
      throw failure(httpErrors.HTTP_STANDING_BUSY, { bound: 'http.max-standing' });
    if (open >= clientStanding)
      throw failure(httpErrors.HTTP_STANDING_BUSY, { bound: 'http.client-standing' });
    this.#answers.set(response, { controller, client });
    this.#byClient.set(client, open + 1);
  }

  leave(response: ServerResponse): void {
    const standing = this.#answers.get(response);
    if (standing === undefined) return;
    this.#answers.delete(response);
    const open = (this.#byClient.get(standing.client) ?? 1) - 1;
    if (open === 0) this.#byClient.delete(standing.client);
    else this.#byClient.set(standing.client, open);
  }

  /** End the body of each answer; a reader that has not taken what was sent is disconnected, because it may never. */
  endAll(): void {
    for (const [response, { controller }] of this.#answers) {
      if (response.writableLength > 0) response.destroy();
      controller.abort();
    }
  }
}

/** The part of an address that identifies a client: of IPv6 the network, because one client has all its addresses. */
export function clientOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(bare)) return bare;
  const [left = [], right = []] = bare.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
