import type { Readable } from 'node:stream';
import type { RawFields } from '../rules/index.ts';
import type { AbortSource } from './client-abort.ts';

/** What an origin is asked in place of the URL that its response is kept under. */
export interface OriginTarget {
  /** Where the origin is, and the path there. */
  readonly url: string;
  /** The host that it is asked for, when that is not the one of `url`. */
  readonly authority?: string | undefined;
}

/** A request as a door understood it: unambiguous, without fields of the connection. */
export interface CacheRequest {
  readonly method: string;
  /**
   * What it is kept under: the effective request URI, absolute and normalised (scheme and host in lower case, no default
   * port), with the mark of `secureKey` where what clients over TLS get is kept apart.
   */
  readonly url: string;
  /** What the origin is asked, when it is not that URL. */
  readonly origin?: OriginTarget | undefined;
  /** End-to-end fields as received, Host left out. */
  readonly fields: RawFields;
  readonly version: '1.0' | '1.1';
  /** The request's content, when it has one; never read twice. */
  readonly content?: Readable | undefined;
  /** Declared by the client; absent with chunks. */
  readonly contentLength?: number | undefined;
  /** The address that asks, for access rules and logs. */
  readonly clientAddress: string;
  /** Asked by another cache (a peer's address, or Via in the request): no stale-while-revalidate for those. */
  readonly fromCache: boolean;
  /** Aborted when the client is gone. */
  readonly signal: AbortSource;
  /** Forward an interim response (1xx) before the answer. */
  readonly onInterim?: ((status: number, fields: RawFields) => void) | undefined;
}

/** What goes back to the client; the door adds only what belongs to the connection. */
export interface CacheAnswer {
  readonly status: number;
  readonly reason: string;
  readonly fields: RawFields;
  /** Absent for answers without content (HEAD, 204, 304). An iteration that throws breaks the connection off. */
  readonly content?: Uint8Array | AsyncIterable<Uint8Array> | undefined;
  /** When known beforehand; chunked (or closed by the end, in 1.0) otherwise. */
  readonly contentLength?: number | undefined;
  /** Trailer fields of the origin, when its content ended well. */
  readonly trailers?: (() => RawFields) | undefined;
}

/** Where a request is sent on. */
export type Route =
  | { readonly to: 'origin' }
  | {
      readonly to: 'parent' | 'sibling';
      readonly host: string;
      readonly port: number;
      /** What made it the choice, for Cache-Status's detail and `why`: 'icp-hit', 'first-parent-miss', 'digest-hit', 'hash', 'domain', 'default', ... */
      readonly because: string;
    };

/** A request on its way upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** As peers are asked for it. */
  readonly url: string;
  readonly origin?: OriginTarget | undefined;
  /** Complete: Via, conditional fields and all; only Host and those of the connection are added. */
  readonly fields: RawFields;
  readonly content?: Readable | undefined;
  readonly contentLength?: number | undefined;
  readonly route: Route;
  readonly signal: AbortSource;
  readonly onInterim?: ((status: number, fields: RawFields) => void) | undefined;
}

/** An upstream's response head with its content still to be read. */
export interface UpstreamResponse {
  readonly status: number;
  readonly reason: string;
  /** As received, the connection's fields already taken out. */
  readonly fields: RawFields;
  /** As declared by a valid Content-Length; absent with chunks or a content ended by closing. */
  readonly contentLength?: number | undefined;
  /**
   * Must be read to its end or destroyed. Errors with CACHE_BROKEN_OFF when the connection ends before the declared
   * length or the last chunk. Destroying it closes the connection.
   */
  readonly content: Readable;
  /** All of the content, when it came with its head: `content` gives the same, and need not be touched then. */
  readonly whole?: Uint8Array | undefined;
  readonly trailers: () => RawFields;
}

/** Sends requests on: to origins (address guard) and peers, over kept connections. */
export interface Upstream extends AsyncDisposable {
  /** Throws CACHE_UNREACHABLE, CACHE_SILENT, CACHE_BROKEN_OFF, CACHE_BAD_RESPONSE, CACHE_ADDRESS_REFUSED (typed errors). */
  send(request: UpstreamRequest): Promise<UpstreamResponse>;
}

/** What came of a request that was sent along a route; a parent is `lame` that said it could not fetch when another could. */
export type RouteResult = 'answered' | 'failed' | 'not-there' | 'lame';

/** Chooses where a request goes that the store cannot answer (cache/peers/ implements it, cli composes). */
export interface PeerRouter {
  /** Routes to try in this order; the next only when one fails before its answer began, or a peer says that it cannot. */
  routes(request: {
    readonly method: string;
    readonly url: string;
    readonly fields: RawFields;
    readonly fromCache: boolean;
    /** Who asks gets what others under this URL do not: no peer can tell them apart. */
    readonly isApart?: boolean;
    /** It has content, which can be sent to one alone. */
    readonly hasContent?: boolean;
    readonly signal: AbortSignal;
  }): readonly Route[] | Promise<readonly Route[]>;
  /**
   * Watch over a request that is about to go along a route: `giveUp` is called, once, when the next route is better tried.
   * What is given back ends the watch; undefined when there is nothing to watch for.
   */
  watch?(
    route: Route,
    request: { readonly url: string; readonly fields: RawFields },
    giveUp: () => void,
  ): (() => void) | undefined;
  /** What came of a route: counts, dead-peer rules. */
  outcome(route: Route, result: RouteResult): void;
}
