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
  /** As sent: a path, or a whole URL that may bear this cache's own name. */
  readonly target: string;
  readonly clientAddress: string;
}

export interface HttpDoorOptions {
  /** Address to listen on; 127.0.0.1 when absent. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  /** What this cache calls itself in Via, Cache-Status and Proxy-Status. */
  readonly pseudonym: string;
  /** What a request is answered with; typed errors become answers. */
  readonly answer: (request: CacheRequest) => Promise<CacheAnswer>;
  /** Whether absolute URLs of any host are taken. */
  readonly proxy?: boolean;
  readonly accelerator?: AcceleratedHosts;
  /** What this cache answers of its own, before anything else is looked at; undefined for all that is not its own. */
  readonly own?: (request: OwnRequest) => Promise<CacheAnswer> | CacheAnswer | undefined;
  /** Who may ask for what; everybody at an accelerator and this machine at a proxy when absent. */
  readonly access?: AccessRules;
  /** Opens tunnels for CONNECT, and lets WebSockets through an accelerator; neither when absent. */
  readonly tunnels?: Tunnels;
  /** Cookies that tell no accelerated responses apart. */
  readonly ignoredCookies?: IgnoredCookies;
  /** Answers PURGE; nobody may purge here when absent. */
  readonly purging?: Purging;
  /** Tell accelerated origins who asked and how, in Forwarded (RFC 7239), X-Forwarded-For and -Proto; so when absent. */
  readonly forwarded?: boolean;
  /** Clients of accelerated origins but peers do not get something newer than what is stored when they ask for it. */
  readonly ignoresReload?: boolean;
  /** Whether an address is a server in front of this one, believed who asked it; nobody is when absent. */
  readonly isFront?: (address: string) => boolean;
  /** Whether an address is a cache that asks us: it gets nothing stale that it would take for fresh. */
  readonly isPeer?: (address: string) => boolean;
  readonly limits?: Partial<DoorLimits>;
  /** Serve over TLS with these, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** For a fast lane before the door; there is none without. */
  readonly lane?: LaneParts;
  /** What went wrong that no client is to blame for; published as `cacheFault` when absent. */
  readonly fault?: (error: unknown) => void;
}
