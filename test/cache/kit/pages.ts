import type { Agent } from 'node:http';
import { type Ask, ask, type Received } from './raw-client.ts';
import type { Answer, Asked, Line, ScriptedOrigin, Step } from './scripted-origin.ts';

/** One URL of a scripted origin, asked through a cache. */
export class Page {
  readonly target: string;
  readonly #origin: ScriptedOrigin;
  readonly #cache: { readonly port: number; readonly agent?: Agent };

  constructor(
    origin: ScriptedOrigin,
    cache: { readonly port: number; readonly agent?: Agent },
    target: string,
  ) {
    this.#origin = origin;
    this.#cache = cache;
    this.target = target;
  }

  get url(): string {
    return `${this.#origin.url}${this.target}`;
  }

  /** The origin's requests for it, oldest first. */
  get asked(): readonly Asked[] {
    return this.#origin.asked(this.target);
  }

  /** The last request that reached the origin. */
  get lastAsked(): Asked | undefined {
    return this.asked.at(-1);
  }

  /** Number of requests for it at the origin. */
  get fetches(): number {
    return this.asked.length;
  }

  /** GET it through the cache. */
  get(...fields: readonly Line[]): Promise<Received> {
    return this.send({ fields });
  }

  /** Send any request for it through the cache. */
  send(what: Ask): Promise<Received> {
    const { port, agent } = this.#cache;
    return ask(port, this.url, { ...what, ...(agent && { agent }) });
  }
}

/** An answer with Cache-Control, further fields and a content. */
export const cached = (cacheControl: string, fields: readonly Line[] = [], more: Answer = {}): Answer => ({
  body: 'content',
  ...more,
  fields: [['Cache-Control', cacheControl], ...fields],
});

/** A validator's answer: 304 when the request bears If-None-Match or If-Modified-Since, `otherwise` when not. */
export const notModifiedOr =
  (otherwise: Answer, fields: readonly Line[] = otherwise.fields ?? []): Step =>
  (asked) =>
    asked.line('if-none-match') === undefined && asked.line('if-modified-since') === undefined
      ? otherwise
      : { status: 304, fields };
