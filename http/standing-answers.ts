import type { ServerResponse } from 'node:http';
import { ClientSlots, failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';

/** The bounds of answers that stay open. */
export interface StandingLimits {
  readonly maxStanding: number;
  /** Max for each client address, so that one caller cannot take all. */
  readonly clientStanding: number;
}

interface Standing {
  readonly controller: AbortController;
  readonly slot: Disposable;
}

/** The answers that stay open, within a bound for all and a bound for each client. */
export class StandingAnswers {
  readonly #slots: ClientSlots;
  readonly #answers = new Map<ServerResponse, Standing>();

  constructor({ maxStanding, clientStanding }: StandingLimits) {
    this.#slots = new ClientSlots({ max: maxStanding, perClient: clientStanding });
  }

  get count(): number {
    return this.#answers.size;
  }

  has(response: ServerResponse): boolean {
    return this.#answers.has(response);
  }

  /** Count an answer until `leave`. Throws HTTP_STANDING_BUSY at either bound. */
  add(response: ServerResponse, client: string, controller: AbortController): void {
    const slot = this.#slots.enter(client);
    if (typeof slot === 'string')
      throw failure(httpErrors.HTTP_STANDING_BUSY, {
        bound: slot === 'all' ? 'http.max-standing' : 'http.client-standing',
      });
    this.#answers.set(response, { controller, slot });
  }

  leave(response: ServerResponse): void {
    const standing = this.#answers.get(response);
    if (standing === undefined) return;
    this.#answers.delete(response);
    standing.slot[Symbol.dispose]();
  }

  /** End the body of each answer; a reader that has not taken what was sent is disconnected, because it may never. */
  endAll(): void {
    for (const [response, { controller }] of this.#answers) {
      if (response.writableLength > 0) response.destroy();
      controller.abort();
    }
  }
}
