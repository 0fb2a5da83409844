/** How a client came to whoever it talked to first. */
export type Scheme = 'http' | 'https';

const proto = /(?:^|[;\s])proto="?(https?)"?(?:[;\s]|$)/i;

/**
 * The scheme that a server in front says its client came by: the first of X-Forwarded-Proto, else that of the first in
 * Forwarded (RFC 7239 5.4). Undefined when neither says http or https. Anybody may say so: it is part of the key.
 */
export function forwardedScheme(
  forwardedProto: string | undefined,
  forwarded: string | undefined,
): Scheme | undefined {
  const first = (value: string | undefined) => value?.split(',', 1)[0]?.trim() ?? '';
  const said = (
    /^https?$/i.exec(first(forwardedProto))?.[0] ?? proto.exec(first(forwarded))?.[1]
  )?.toLowerCase();
  return said === 'https' || said === 'http' ? said : undefined;
}
