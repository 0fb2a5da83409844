import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { AbortSource, UpstreamRequest } from '../requests/index.ts';
import type { PlainOrder } from './plain-connection.ts';
import { connectingTooLong, upstreamError } from './upstream-errors.ts';
import { hasContent } from './upstream-head.ts';

/** A connection that ended in the middle of an answer, with Node's own code. */
export class BrokenOff extends Error {
  readonly code = 'ECONNRESET';
}

/** A request whose answer is read without Node's parser: a single object, in place of five closures for each miss. */
export class PlainRequest implements PlainOrder {
  readonly text: string;
  readonly signal: AbortSource;
  readonly silenceMs: number;
  readonly limits: PlainOrder['limits'];
  readonly #method: string;
  readonly #url: string;

  constructor(
    {
      method,
      url,
      text,
      signal,
    }: Pick<UpstreamRequest, 'method' | 'url' | 'signal'> & { readonly text: string },
    { silenceMs, limits }: Pick<PlainOrder, 'silenceMs' | 'limits'>,
  ) {
    this.text = text;
    this.signal = signal;
    this.silenceMs = silenceMs;
    this.limits = limits;
    this.#method = method;
    this.#url = url;
  }

  hasContent(status: number): boolean {
    return hasContent(this.#method, status);
  }

  broken(error: unknown): Error {
    return upstreamError(this.#url, error ?? new BrokenOff());
  }

  silent(): Error {
    return failure(cacheErrors.CACHE_SILENT, { url: this.#url, why: 'it stopped sending' });
  }

  unconnected(): Error {
    return connectingTooLong(this.#url);
  }
}
