import { createHash } from 'node:crypto';
import type { Route } from '../http/index.ts';

/** The operator's picture, for the top of every page. */
export interface Logo {
  readonly body: Buffer;
  readonly type: 'image/svg+xml' | 'image/png' | 'image/webp';
  /** Identifies this picture among others. */
  readonly version: string;
}

/** Max bytes of a logo. */
export const maxLogoBytes = 256 * 1024;

/** Max bytes before the root of an SVG document. */
const maxProlog = 4096;

/** A picture with its type, which its bytes say; undefined when it is no SVG, PNG or WebP. */
export function readLogo(body: Buffer): Logo | undefined {
  const type = typeOf(body);
  if (type === undefined) return undefined;
  return { body, type, version: createHash('sha256').update(body).digest('base64url').slice(0, 12) };
}

function typeOf(body: Buffer): Logo['type'] | undefined {
  const latin = (from: number, to: number) => body.toString('latin1', from, to);
  if (latin(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (latin(0, 4) === 'RIFF' && latin(8, 12) === 'WEBP') return 'image/webp';
  const prolog = body.toString('utf8', 0, maxProlog).replace(/^\ufeff/, '');
  const isSvg = /^\s*(?:<(?:\?[^>]*|!--.*?--|![^-[>][^[>]*(?:\[[^\]]*\]\s*)?)>\s*)*<svg[\s/>]/s.test(prolog);
  return isSvg ? 'image/svg+xml' : undefined;
}

/** The address of a logo relative to the pages. */
export const logoHref = ({ version }: Logo): string => `logo?v=${version}`;

/** `/logo`: the operator's picture. Whatever an SVG holds, no script of it runs and it loads nothing. */
export function logoRoute(logo: Logo): Route {
  return {
    ...{ method: 'GET', path: '/logo', summary: "The operator's picture", scope: 'public', hidden: true },
    // The page on which callers log in shows it.
    judgesCallers: true,
    handle: ({ query }) => ({
      headers: {
        'content-type': logo.type,
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox",
        etag: `"${logo.version}"`,
        'cache-control': query.v === logo.version ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
      body: logo.body,
    }),
  };
}
