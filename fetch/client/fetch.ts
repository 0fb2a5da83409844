/** One request for one URL. The caller decides what to do with the body. */
export interface FetchRequest {
  /** Absolute URL; its scheme decides which implementation answers. */
  readonly url: string;
  /** `GET` when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** Sent with `POST`. With `follow` it is sent to the target of a redirect too, so use `manual`. */
  readonly body?: Uint8Array;
  /** Sent as given; `authorization` and `cookie` do not follow a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** ETag of the stored copy: sent as If-None-Match. */
  readonly etag?: string | undefined;
  /** Last-Modified of the stored copy, seconds since 1970: sent as If-Modified-Since. */
  readonly lastModified?: number | undefined;
  /** `follow` (the default) requests the target too; `manual` returns the redirect itself. */
  readonly redirect?: 'follow' | 'manual';
  /** Max bytes of the decoded body; reading more fails with FETCH_TOO_LARGE. */
  readonly maxBytes?: number;
  /** Whether a body that is announced as longer than `maxBytes` can be read up to that, because only its start is needed. */
  readonly start?: boolean;
  /** Min milliseconds between requests to this host, if that is more than the client's own delay. */
  readonly minDelayMs?: number | undefined;
  /** Aborts waiting, connecting and reading. Its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** One redirect that was followed. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** An answer whose body is still arriving: read `body` to its end, or dispose of it. */
export interface FetchResponse extends AsyncDisposable {
  /** The URL of the answer: the last redirect's target. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly status: number;
  /** Names in lower case; repeated fields joined with `, `, those of X-Robots-Tag with line ends. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when the copy whose `etag` or `lastModified` was sent is still valid. There is then no body. */
  readonly notModified: boolean;
  readonly etag: string | undefined;
  /** Seconds since 1970. */
  readonly lastModified: number | undefined;
  readonly contentType: string | undefined;
  /** Absolute target of a redirect that was not followed. */
  readonly location: string | undefined;
  /** The decoded body, which can be read once. Reading throws the errors of the transfer. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Body bytes received so far, before decoding. */
  readonly wireBytes: number;
}

/** Request a URL. Every status is an answer. Throws FETCH_* when there is no answer. */
export type Fetch = (request: FetchRequest) => Promise<FetchResponse>;

/** The whole body in one piece, at most the request's `maxBytes`. */
export async function readBody(response: FetchResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** The first `limit` bytes of the body. The rest is not read, and the response is disposed of. */
export async function readStart(response: FetchResponse, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  await response[Symbol.asyncDispose]();
  return Buffer.concat(chunks).subarray(0, limit);
}
