import { isIPv4, isIPv6 } from 'node:net';

/** Whether a server bound to `host` can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  if (isIPv4(bare)) return bare.startsWith('127.');
  if (isIPv6(bare)) return bare === '::1' || /^(0{1,4}:){7}0{0,3}1$/.test(bare);
  return bare === 'localhost' || bare.endsWith('.localhost');
}

/** The name in a Host header or an origin's authority, lower-case and without port; undefined when malformed. */
export function hostName(authority: string): string | undefined {
  const match = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{0,5})?$/i.exec(authority);
  return match?.[1]?.toLowerCase().replace(/\.$/, '');
}

/** How a request came. */
export type Scheme = 'http' | 'https';

export interface HostRule {
  /** Whether a request with this Host header is for this server. */
  answers(host: string | undefined): boolean;
  /** Whether a page of `origin` counts as this server's own in a request of this scheme with this Host header. */
  ownOrigin(origin: string, request: { readonly scheme: Scheme; readonly host: string | undefined }): boolean;
}

/**
 * Against DNS rebinding (a hostile page that points its own name at 127.0.0.1), a loopback server answers
 * only for loopback and configured names; another for any name, unless names are configured.
 */
export function hostRule(bound: string, names: readonly string[]): HostRule {
  const configured = new Set(names.map((name) => name.toLowerCase()));
  const open = !isLoopback(bound) && configured.size === 0;
  const known = (name: string) =>
    isLoopback(name) || configured.has(name) || name === bound.toLowerCase() || name === `[${bound}]`;
  return {
    answers: (host) => {
      const name = host === undefined ? undefined : hostName(host);
      return name !== undefined && (open || known(name));
    },
    ownOrigin: (origin, { scheme, host }) => {
      if (!URL.canParse(origin)) return false;
      const { protocol, host: authority, hostname } = new URL(origin);
      const isSame = protocol === `${scheme}:` && authority.toLowerCase() === host?.toLowerCase();
      if (isSame) return true;
      return configured.has(hostname.toLowerCase());
    },
  };
}
