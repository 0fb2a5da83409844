import type { LineServer } from '../lines/index.ts';

/** `host:port`, with brackets around an IPv6 address. */
export function linesAddress({ host, port }: LineServer): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
