/** One request for one URL. What is done with the body is the caller's business. */
export interface FetchRequest {
  /** Absolute URL; its scheme decides which implementation answers. */
  readonly url: string;
  /** `GET` when absent. */
  readonly method?: 'GET' | 'HEAD' | 'POST';
  /** Sent with `POST`; a redirect is not followed with it, so ask for `manual`. */
  readonly body?: Uint8Array;
  /** Sent as given; `authorization` and `cookie` do not follow a redirect to another origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** ETag of the copy at hand: sent as If-None-Match. */
  readonly etag?: string | undefined;
  /** Last-Modified of the copy at hand, seconds since 1970: sent as If-Modified-Since. */
  readonly lastModified?: number | undefined;
  /** `follow` (the default) goes on to the target; `manual` hands the redirect itself back. */
  readonly redirect?: 'follow' | 'manual';
  /** Most bytes of the decoded body; reading on fails with FETCH_TOO_LARGE. */
  readonly maxBytes?: number;
  /** Least milliseconds between requests to this host, where that is more than the client's own delay. */
  readonly minDelayMs?: number | undefined;
  /** Ends waiting, connecting and reading; the reason given to it is what is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** One redirect that was followed. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** An answer whose body is still on its way: read `body` to its end, or dispose of it. */
export interface FetchResponse extends AsyncDisposable {
  /** Where the answer came from: the last redirect's target. */
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly status: number;
  /** Names in lower case; repeated fields joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The copy whose `etag` or `lastModified` was sent is still right; there is no body. */
  readonly notModified: boolean;
  readonly etag: string | undefined;
  /** Seconds since 1970. */
  readonly lastModified: number | undefined;
  readonly contentType: string | undefined;
  /** Absolute target of a redirect that was not followed. */
  readonly location: string | undefined;
  /** The body without its content encoding, to be read once; errors of the transfer are thrown here. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Body bytes received so far, as they were on the wire. */
  readonly wireBytes: number;
}

/**
 * Ask for a URL. Any status is an answer; throws FETCH_* when there is none. Implementations: `HttpClient.fetch`,
 * and whatever else can answer for a URL (another scheme, a cache in front of this one).
 */
export type Fetch = (request: FetchRequest) => Promise<FetchResponse>;

/** The whole body in one piece; as large as the request's `maxBytes` allowed. */
export async function readBody(response: FetchResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}

/** The first `limit` bytes of the body; the rest is left unread and the answer disposed of. */
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
