import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { failure } from '../../kernel/index.ts';
import { decodeBody, type FetchResponse, parseHttpDate, type Redirect } from '../client/index.ts';
import { fetchErrors } from '../errors.ts';

/** The transport's response, before any of the body was read. */
export interface RawResponse {
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly method: 'GET' | 'HEAD' | 'POST';
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
  readonly maxBytes: number;
  /** As in a request. */
  readonly start?: boolean | undefined;
}

/** The end of a response. */
export interface Ending {
  readonly wireBytes: number;
  readonly bytes: number;
  readonly error?: unknown;
}

/** The sender of the request, as its response sees it. */
export interface Sender {
  /** The typed error for an error of the transport. */
  explain(error: unknown): unknown;
  /** The connection is no longer needed; called once. */
  free(): void;
  /** The reader is done too; called at most once, and never when it stopped in the middle without disposing. */
  ended(ending: Ending): void;
}

// An unwanted body up to this size is read to its end, so that the connection can be used again.
const worthDraining = 64 * 1024;

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A token that can be sent back: some servers omit the quotes, none may carry spaces or control characters. */
function usableEtag(field: string | undefined): string | undefined {
  return field !== undefined && /^[\x21-\x7e]{1,512}$/.test(field) ? field : undefined;
}

/** The fields by name; those of X-Robots-Tag stay lines, because a name at its start holds for its own line alone. */
function joined(headers: RawResponse['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, Array.isArray(value) ? value.join(name === 'x-robots-tag' ? '\n' : ', ') : value]],
    ),
  );
}

function targetOf(status: number, location: string | undefined, url: string): string | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined;
  // Bytes beyond ASCII are UTF-8, as browsers read them; a field is read as Latin-1.
  const bytes = Buffer.from(location, 'latin1');
  const target = /[\x80-\xff]/.test(location) && isUtf8(bytes) ? bytes.toString() : location;
  return URL.parse(target, url)?.href;
}

/** An HTTP answer; it notifies its sender when the connection is free and when the reader is done. */
export class HttpResponse implements FetchResponse {
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly notModified: boolean;
  readonly etag: string | undefined;
  readonly lastModified: number | undefined;
  readonly contentType: string | undefined;
  readonly location: string | undefined;
  readonly #raw: RawResponse;
  readonly #sender: Sender;
  #wireBytes = 0;
  #bytes = 0;
  #taken = false;
  #reading = false;
  #freed = false;
  #ended = false;
  #letGo = false;

  constructor(raw: RawResponse, sender: Sender) {
    this.#raw = raw;
    this.#sender = sender;
    this.url = raw.url;
    this.redirects = raw.redirects;
    this.status = raw.status;
    this.headers = joined(raw.headers);
    this.notModified = raw.status === 304;
    this.etag = usableEtag(this.headers.etag);
    this.lastModified = parseHttpDate(this.headers['last-modified']);
    this.contentType = this.headers['content-type'];
    this.location = targetOf(raw.status, this.headers.location, raw.url);
    // A connection may break without a reader; a reader gets the error through the iterator.
    raw.body.on('error', () => undefined);
    // An active reader reports the fault more exactly, so it goes first.
    raw.body.once('close', () => setImmediate(() => this.#closed()));
    // These have no body by definition: release the connection at once.
    if (raw.method === 'HEAD' || raw.status === 204 || raw.status === 304) {
      this.#taken = true;
      raw.body.resume();
    }
  }

  get wireBytes(): number {
    return this.#wireBytes;
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    if (this.#raw.method === 'HEAD' || this.status === 204 || this.notModified) return;
    if (this.#taken) throw new TypeError(`the body of ${this.url} was read or disposed of before`);
    this.#taken = true;
    this.#reading = true;
    const { url, maxBytes, start, body } = this.#raw;
    const encoding = this.headers['content-encoding'];
    try {
      if (!encoding && start !== true && Number(this.headers['content-length']) > maxBytes)
        throw failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes });
      for await (const chunk of decodeBody(this.#wire(), encoding, { url, maxBytes })) {
        this.#bytes += chunk.length;
        yield chunk;
      }
      this.#end(undefined);
    } catch (error) {
      const explained = this.#sender.explain(error);
      this.#end(explained);
      throw explained;
    } finally {
      this.#letGo = true;
      if (!body.readableEnded) body.destroy();
      this.#end(undefined);
    }
  }

  #closed(): void {
    const fault = this.#raw.body.errored;
    if (fault && !this.#letGo) this.#end(this.#sender.explain(fault));
    // All has arrived, but a reader may still be decoding it.
    else if (this.#reading) this.#free();
    else this.#end(undefined);
  }

  async *#wire(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#raw.body) {
      const bytes = chunk as Uint8Array;
      this.#wireBytes += bytes.length;
      yield bytes;
    }
  }

  #free(): void {
    if (this.#freed) return;
    this.#freed = true;
    this.#sender.free();
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#free();
    this.#sender.ended({
      wireBytes: this.#wireBytes,
      bytes: this.#bytes,
      ...(error !== undefined && { error }),
    });
  }

  /** Release an unread body: a short one is read to its end, a long one costs the connection. */
  [Symbol.asyncDispose](): Promise<void> {
    const { body } = this.#raw;
    if (this.#ended) return Promise.resolve();
    this.#letGo = true;
    // A body of unknown length might never end.
    const short = Number(this.headers['content-length'] ?? Number.NaN) <= worthDraining;
    if (this.#taken || !short) body.destroy();
    else
      body.on('data', (chunk: Uint8Array) => {
        this.#wireBytes += chunk.length;
      });
    this.#taken = true;
    return Promise.resolve();
  }
}
