import type { LineServer } from '../../line-protocol/index.ts';

/** `host:port`, with brackets around an IPv6 address. */
export function linesAddress({ host, port }: LineServer): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
