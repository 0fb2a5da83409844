import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a caller with this `token` (undefined: none) may have a session; `client`: see `clientOf`. */
export type Authorise = (token: string | undefined, client: string) => boolean | Promise<boolean>;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Accept a caller with one of these tokens, or any if there are none. The time taken reveals nothing. */
export function bearerTokens(tokens: readonly string[]): (token: string | undefined) => boolean {
  const known = tokens.filter((token) => token !== '').map(digest);
  if (known.length === 0) return () => true;
  return (token) => {
    const shown = digest(token ?? '');
    let found = false;
    for (const one of known) found = timingSafeEqual(one, shown) || found;
    return found;
  };
}

/** The token of an `Authorization: Bearer` header (RFC 6750), or undefined. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}
