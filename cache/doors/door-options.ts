import type { Clock } from '../../kernel/index.ts';
import type { CacheAnswer, CacheRequest } from '../requests/index.ts';
import type { AccessRules } from './access.ts';
import type { DoorLimits } from './door-limits.ts';
import type { LaneParts } from './fast-lane/fast-lane.ts';
import type { IgnoredCookies } from './ignored-cookies.ts';
import type { Purging } from './purging.ts';
import type { AcceleratedHosts } from './request-key.ts';
import type { Tunnels } from './tunnels.ts';

/** A request for this cache itself, by its path: a digest, a status page. */
export interface OwnRequest {
  readonly method: string;
  /** As sent: a path, or a whole URL that may have this cache's own name. */
  readonly target: string;
  readonly clientAddress: string;
}

export interface HttpDoorOptions {
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** This cache's name in Via, Cache-Status and Proxy-Status. */
  readonly pseudonym: string;
  /** Answers a request; typed errors become error answers. */
  readonly answer: (request: CacheRequest) => Promise<CacheAnswer>;
  /** Whether absolute URLs of any host are accepted. */
  readonly proxy?: boolean;
  readonly accelerator?: AcceleratedHosts;
  /** Answers requests for this cache itself, before all other checks; undefined for every other request. */
  readonly own?: (request: OwnRequest) => Promise<CacheAnswer> | CacheAnswer | undefined;
  /** Access rules; when absent, an accelerator permits everybody and a proxy this machine. */
  readonly access?: AccessRules;
  /** Opens tunnels for CONNECT, and carries WebSockets through an accelerator; absent, neither is possible. */
  readonly tunnels?: Tunnels;
  /** Cookies that do not distinguish accelerated responses. */
  readonly ignoredCookies?: IgnoredCookies;
  /** Answers PURGE; switched off when absent. */
  readonly purging?: Purging;
  /** Send accelerated origins Forwarded (RFC 7239), X-Forwarded-For and -Proto; true when absent. */
  readonly forwarded?: boolean;
  /** Ignore demands for something newer than the stored response from clients of accelerated origins, except peers. */
  readonly ignoresReload?: boolean;
  /** Whether an address is a trusted server in front of this one; none is when absent. */
  readonly isFront?: (address: string) => boolean;
  /** Whether an address is a cache that uses us: it gets no stale response that it would take for fresh. */
  readonly isPeer?: (address: string) => boolean;
  readonly limits?: Partial<DoorLimits>;
  /** Serve over TLS with these, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** For a fast lane before the door; absent, there is none. */
  readonly lane?: LaneParts;
  /** Called with failures that no client caused; they are published as `cacheFault` when absent. */
  readonly fault?: (error: unknown) => void;
}
