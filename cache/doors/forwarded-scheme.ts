/** The protocol between a client and the first server. */
export type Scheme = 'http' | 'https';

const proto = /(?:^|[;\s])proto="?(https?)"?(?:[;\s]|$)/i;

/**
 * The client's scheme by a server in front: the first of X-Forwarded-Proto, else that of the first element of
 * Forwarded (RFC 7239 5.4). Undefined when neither is http or https. Any client may send it, so it is part of
 * the key.
 */
export function forwardedScheme(
  forwardedProto: string | undefined,
  forwarded: string | undefined,
): Scheme | undefined {
  const first = (value: string | undefined) => value?.split(',', 1)[0]?.trim() ?? '';
  const scheme = (
    /^https?$/i.exec(first(forwardedProto))?.[0] ?? proto.exec(first(forwarded))?.[1]
  )?.toLowerCase();
  return scheme === 'https' || scheme === 'http' ? scheme : undefined;
}
