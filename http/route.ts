import type { GarnerError } from '../kernel/index.ts';

/** The rights of a token: reading and searching, collecting over the wire, changing objects, everything. */
export const tokenScopes = ['read', 'collect', 'write', 'admin'] as const;

export type TokenScope = (typeof tokenScopes)[number];

/** What a caller needs: nothing, or a token of this scope. */
export type Scope = 'public' | TokenScope;

/** The caller, as its token identifies it. */
export interface Caller {
  /** The token's name, never the token. */
  readonly name: string;
  readonly scopes: readonly TokenScope[];
}

/** A request for a route: already bounded, parsed and authorised. */
export interface RouteRequest {
  readonly method: 'GET' | 'POST' | 'DELETE' | 'PUT';
  /** Path and query string as received. */
  readonly url: string;
  readonly path: string;
  /** Path parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query string, decoded; the first value of a repeated name. */
  readonly query: Readonly<Record<string, string>>;
  /** Every value of a repeated query name. */
  readonly queries: Readonly<Record<string, readonly string[]>>;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The network address that counts as one client, of IPv6 the /64; absent for a call within the process. */
  readonly client?: string;
  /** The caller; absent where no token was required. */
  readonly caller?: Caller;
  /** Aborted when the caller disconnects or the server closes. */
  readonly signal: AbortSignal;
}

export interface RouteResponse {
  readonly status?: number;
  /** Header names in lower case. `content-type` defaults by the body: JSON text for `json`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** The JSON text of `json`, where it exists already; it is sent unchanged. */
  readonly jsonText?: string;
  /** Sent unchanged; a stream is pulled only as fast as the caller reads. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
}

export interface ParameterDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly describe: string;
  readonly required?: boolean;
  /** Whether it may be given more than once. */
  readonly several?: boolean;
  readonly schema: {
    readonly type: 'string' | 'integer';
    readonly minimum?: number;
    readonly maximum?: number;
    readonly enum?: readonly string[];
    readonly default?: string | number;
  };
  /** Whether the route checks the value itself, with an error of its own. */
  readonly isChecked?: boolean;
}

/** One route as data; actors export tables of these and `cli` mounts them on one port. */
export interface Route {
  readonly method: RouteRequest['method'];
  /** `/objects/:oid`; a final `*` takes the rest of the path as `params['*']`. */
  readonly path: string;
  readonly summary: string;
  readonly scope: Scope;
  /** The route checks its callers itself, so that they need no token even where every path requires one. */
  readonly judgesCallers?: boolean;
  readonly parameters?: readonly ParameterDescription[];
  /** The bound of the body where http.max-body is too much; `refused` is called for each larger one. */
  readonly body?: {
    readonly maxBytes: number;
    readonly refused: (error: GarnerError, client: string) => void;
  };
  /** A request with a body is refused at once: the route has no use for it. */
  readonly takesNoBody?: boolean;
  /** JSON Schema of the request body, for OpenAPI. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** The status of its answer where that is not 200, for OpenAPI. */
  readonly status?: 201 | 202;
  /** JSON Schema of the answer, for OpenAPI; absent for pages and streams. */
  readonly response?: Readonly<Record<string, unknown>>;
  /**
   * Whether pages of the origins in `http.cors-origins` may use it; else those routes that read, are described and
   * need no more than a token of scope read. Never a route that changes or administers.
   */
  readonly isShared?: boolean;
  /** Further media types of the answer, each with its JSON Schema; of a line, where the answer has lines. */
  readonly media?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Left out of the OpenAPI description (pages, assets, control). */
  readonly hidden?: boolean;
  /**
   * The answer stays open (server-sent events): it is counted apart from requests, under bounds of its own, and its body
   * is ended when the server closes.
   */
  readonly isStanding?: boolean;
  handle(request: RouteRequest): Promise<RouteResponse> | RouteResponse;
}
