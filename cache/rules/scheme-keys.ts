/** Stored URLs have no fragment, so this cannot be part of one. */
const mark = '#https';

/**
 * The key for clients over TLS where the origin gets their protocol: its answer may depend on it, such as a
 * redirect that would loop for other clients. Other clients have the URL itself as their key.
 */
export function secureKey(url: string): string {
  return url.endsWith(mark) ? url : url + mark;
}

export function isSecureKey(key: string): boolean {
  return key.endsWith(mark);
}

export function urlOfKey(key: string): string {
  return key.endsWith(mark) ? key.slice(0, -mark.length) : key;
}

/** Every key under which this key's URL may be stored, the key itself first. */
export function keyTwins(key: string): readonly [string, string] {
  const url = urlOfKey(key);
  return url === key ? [key, secureKey(url)] : [key, url];
}
