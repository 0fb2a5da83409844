/** No URL that is stored has a fragment, so that this can be no part of one. */
const mark = '#https';

/**
 * What is kept for clients over TLS where the origin is told how they came: it may answer them otherwise, with a redirect
 * that would lead the others in a circle. Others have the URL itself as their key.
 */
export function secureKey(url: string): string {
  return url.endsWith(mark) ? url : url + mark;
}

export function isSecureKey(key: string): boolean {
  return key.endsWith(mark);
}

/** The URL that a key is of. */
export function urlOfKey(key: string): string {
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key;
}

/** Every key under which something of this key's URL may be kept, the key itself first. */
export function keyTwins(key: string): readonly [string, string] {
  const url = urlOfKey(key);
  return url === key ? [key, secureKey(url)] : [key, url];
}
