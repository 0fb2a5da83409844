import type { Readable } from 'node:stream';
import type { RawFields } from '../rules/index.ts';
import type { AbortSource } from './client-abort.ts';

/** The target at the origin, in place of the URL under which the response is stored. */
export interface OriginTarget {
  /** The address of the origin, and the path there. */
  readonly url: string;
  /** The host sent to it, when that is not the host of `url`. */
  readonly authority?: string | undefined;
}

/** A request as a door read it: unambiguous, without connection fields. */
export interface CacheRequest {
  readonly method: string;
  /**
   * The key under which its response is stored: the effective request URI, absolute and normalised (scheme and host in
   * lower case, no default port), with the mark of `secureKey` where responses for TLS clients are stored separately.
   */
  readonly url: string;
  readonly origin?: OriginTarget | undefined;
  /** End-to-end fields as received, without Host. */
  readonly fields: RawFields;
  readonly version: '1.0' | '1.1';
  /** The request's content, when it has one; never read twice. */
  readonly content?: Readable | undefined;
  /** Declared by the client; absent with chunks. */
  readonly contentLength?: number | undefined;
  /** The client's address, for access rules and logs. */
  readonly clientAddress: string;
  /** Sent by another cache (a peer's address, or Via in the request): caches get no stale-while-revalidate. */
  readonly fromCache: boolean;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSource;
  /** Forward an interim response (1xx) before the answer. */
  readonly onInterim?: ((status: number, fields: RawFields) => void) | undefined;
}

/** The answer to the client; the door adds only connection fields. */
export interface CacheAnswer {
  readonly status: number;
  readonly reason: string;
  readonly fields: RawFields;
  /** Absent for answers without content (HEAD, 204, 304). An iteration that throws breaks off the connection. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** When known beforehand; otherwise the answer is chunked (or ended by closing, in 1.0). */
  readonly contentLength?: number | undefined;
  /** Trailer fields of the origin, when its content ended without an error. */
  readonly trailers?: (() => RawFields) | undefined;
}

export type Route =
  | { readonly to: 'origin' }
  | {
      readonly to: 'parent' | 'sibling';
      readonly host: string;
      readonly port: number;
      /** For Cache-Status's detail and `why`: 'icp-hit', 'first-parent-miss', 'digest-hit', 'hash', ... */
      readonly because: string;
    };

export interface UpstreamRequest
  extends Pick<CacheRequest, 'method' | 'origin' | 'content' | 'contentLength' | 'signal' | 'onInterim'> {
  /** The URL that is requested from peers. */
  readonly url: string;
  /** Complete, with Via and conditional fields; only Host and connection fields are added. */
  readonly fields: RawFields;
  readonly route: Route;
}

/** An upstream's response head, with its content still to be read. */
export interface UpstreamResponse {
  readonly status: number;
  readonly reason: string;
  /** As received, without connection fields. */
  readonly fields: RawFields;
  /** As declared by a valid Content-Length; absent with chunks or a content ended by closing. */
  readonly contentLength?: number | undefined;
  /**
   * Must be read to its end or destroyed. Errors with CACHE_BROKEN_OFF when the connection ends before the declared
   * length or the last chunk. Destroying it closes the connection.
   */
  readonly content: Readable;
  /** All of the content, when it came with its head: `content` gives the same, and may then be left unread. */
  readonly whole?: Uint8Array | undefined;
  readonly trailers: () => RawFields;
}

/** Sends requests to origins (address guard) and peers, over persistent connections. */
export interface Upstream extends AsyncDisposable {
  /** Rejects with CACHE_UNREACHABLE, _SILENT, _BROKEN_OFF, _BAD_RESPONSE or _ADDRESS_REFUSED. */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
}

/** The result of a request sent along a route; `lame`: a parent reported that it could not fetch what another could. */
export type RouteResult = 'answered' | 'failed' | 'not-there' | 'lame';

/** Chooses the route of a request that the store cannot answer (cache/peers/ implements it, cli composes). */
export interface PeerRouter {
  /** Routes to try in this order; the next only when one fails before its answer began, or a peer refuses. */
  routes(request: {
    readonly method: string;
    readonly url: string;
    readonly fields: RawFields;
    readonly fromCache: boolean;
    /** The client gets other responses than others under this URL: no peer can distinguish them. */
    readonly isApart?: boolean;
    /** It has content, which can be sent only once. */
    readonly hasContent?: boolean;
    readonly signal: AbortSignal;
  }): readonly Route[] | Promise<readonly Route[]>;
  /**
   * Watch a request that is about to go along a route: `giveUp` is called, once, when the next route should
   * be tried. The returned function ends the watch; undefined when there is nothing to watch.
   */
  watch?(
    route: Route,
    request: { readonly url: string; readonly fields: RawFields },
    giveUp: () => void,
  ): (() => void) | undefined;
  /** Report the result of a route: counts, dead-peer rules. */
  outcome(route: Route, result: RouteResult): void;
}
