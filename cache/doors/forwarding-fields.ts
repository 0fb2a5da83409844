/** The protocol between a client and the first server. */
export type Scheme = 'http' | 'https';

const proto = /(?:^|[;\s])proto="?(https?)"?(?:[;\s]|$)/i;

/**
 * The client's scheme by a server in front: the first of X-Forwarded-Proto, else that of the first element of Forwarded
 * (RFC 7239 5.4). Undefined when neither is http or https. Any client may send it, so it is part of the key.
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
/** Some servers read `X_Host` and `X-Host` as the same (RFC 3875 4.1.18), so names are compared regardless of that. */
const plainName = (name: string) => name.toLowerCase().replaceAll('_', '-');

const otherwiseBeginnings = ['x-forwarded-', 'x-original-', 'x-rewrite-', 'x-http-'];
const otherwiseNames: ReadonlySet<string> = new Set([
  ...['x-forwarded', 'x-host', 'x-scheme', 'x-url-scheme', 'front-end-https', 'x-method-override'],
  ...['x-script-name', 'x-replaced-path'],
]);
/** Whether a field names another host, target or method than the key under which other clients get the answer. */
function overridesKey(plain: string): boolean {
  return otherwiseNames.has(plain) || otherwiseBeginnings.some((beginning) => plain.startsWith(beginning));
}

// The names that servers in front, networks and application servers use for the client's address.
const ofAddress =
  /^(?:(?:.*-)?(?:client|connecting|real|remote|originating|source|user|socket)-?(?:ipv?[46]?|addr|address)|cf-pseudo-ipv4|(?:x-)?forward(?:ed)?-for|x-envoy-external-address|x-client|http-x-forwarded-for)$/;

/**
 * The meaning of a request field: `otherwise`, another host, target or method than the key under which other clients
 * get the answer; `address`, the client's address by a server in front, a single address and not a chain.
 */
export type FieldRole =
  | 'forwarded'
  | 'forwarded-for'
  | 'forwarded-proto'
  | 'otherwise'
  | 'address'
  | 'nothing';

/** Clients share a few dozen names, so the result is cached. */
const known = new Map<string, FieldRole>();
const maxKnown = 512;
const maxKnownLength = 64;

export function fieldRole(name: string): FieldRole {
  const before = known.get(name);
  if (before !== undefined) return before;
  const role = classified(name);
  if (name.length > maxKnownLength) return role;
  if (known.size >= maxKnown) known.clear();
  // A name may be a slice of a whole head, which it would keep in memory.
  known.set(Buffer.from(name, 'latin1').toString('latin1'), role);
  return role;
}

function classified(name: string): FieldRole {
  const plain = plainName(name);
  const isUsualSpelling = plain === name.toLowerCase();
  if (plain === 'forwarded') return 'forwarded';
  if (plain === 'x-forwarded-for') return isUsualSpelling ? 'forwarded-for' : 'address';
  if (plain === 'x-forwarded-proto') return isUsualSpelling ? 'forwarded-proto' : 'otherwise';
  if (overridesKey(plain)) return 'otherwise';
  return ofAddress.test(plain) ? 'address' : 'nothing';
}

const ofFronts =
  /^(?:via|forwarded|cdn-loop|x-real-ip|x-varnish|(?:.*-)?client-ip|(?:x-client|x-envoy|x-azure|x-amzn|x-amz-cf|cf|fastly)-.*)$/;
// Publishing systems send these themselves, with PURGE.
const ofPurging: ReadonlySet<string> = new Set(['fastly-soft-purge', 'fastly-key']);

/** Whether servers in front add this field to requests that they forward. */
export function isOfFront(name: string): boolean {
  const plain = plainName(name);
  if (ofPurging.has(plain)) return false;
  return fieldRole(name) !== 'nothing' || ofFronts.test(plain);
}
