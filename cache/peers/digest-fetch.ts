import type { Clock } from '../../kernel/index.ts';
import type { Upstream } from '../requests/index.ts';
import { Fields, parseHttpDate } from '../rules/index.ts';
import { maxDigestBytes } from './digest.ts';

/** The path of a digest of stored responses, as squid has it. */
export const digestPath = '/squid-internal-periodic/store_digest';

/** A digest as a peer sent it, not yet decoded. */
export interface FetchedDigest {
  readonly bytes: Uint8Array;
  /** When a newer digest may be available, as the peer states. */
  readonly untilMs?: number;
}

/** Fetches the digest of a peer; undefined when it has none. */
export type DigestFetch = (
  peer: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<FetchedDigest | undefined>;

/** `DigestFetch` over HTTP. Rejects as `Upstream.send` does. */
export function digestFetch(upstream: Upstream, clock: Clock): DigestFetch {
  return async ({ host, port }, signal) => {
    const name = host.includes(':') ? `[${host}]` : host;
    // Requested from an origin, not from a proxy: squid then recognises its internal pages by the path alone.
    const response = await upstream.send({
      method: 'GET',
      url: `http://${name}${port === 80 ? '' : `:${port}`}${digestPath}`,
      fields: ['Accept', 'application/cache-digest'],
      route: { to: 'origin' },
      signal,
    });
    const declared = response.contentLength ?? 0;
    if (response.status !== 200 || declared > maxDigestBytes) {
      response.content.destroy();
      return undefined;
    }
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.content as AsyncIterable<Uint8Array>) {
      length += piece.length;
      // Leaving the loop destroys the content.
      if (length > maxDigestBytes) return undefined;
      pieces.push(piece);
    }
    const until = parseHttpDate(new Fields(response.fields).get('expires'), clock.now() / 1000);
    return { bytes: Buffer.concat(pieces), ...(until === undefined ? {} : { untilMs: until * 1000 }) };
  };
}
