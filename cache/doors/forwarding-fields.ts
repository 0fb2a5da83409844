/** For servers that read `X_Host` and `X-Host` as the same (RFC 3875 4.1.18), names are compared without that difference. */
const plainName = (name: string) => name.toLowerCase().replaceAll('_', '-');

const otherwiseBeginnings = ['x-forwarded-', 'x-original-', 'x-rewrite-', 'x-http-'];
const otherwiseNames: ReadonlySet<string> = new Set([
  ...['x-forwarded', 'x-host', 'x-scheme', 'x-url-scheme', 'front-end-https', 'x-method-override'],
  ...['x-script-name', 'x-replaced-path'],
]);
/** Whether a field says which host, target or method is really meant, past the key under which others get the answer. */
function saysOtherwise(plain: string): boolean {
  return otherwiseNames.has(plain) || otherwiseBeginnings.some((beginning) => plain.startsWith(beginning));
}

// What servers in front, those of large networks and servers of applications call the address of who asked.
const ofAddress =
  /^(?:(?:.*-)?(?:client|connecting|real|remote|originating|source|user|socket)-?(?:ipv?[46]?|addr|address)|cf-pseudo-ipv4|(?:x-)?forward(?:ed)?-for|x-envoy-external-address|x-client|http-x-forwarded-for)$/;

/**
 * What a request's field tells: `otherwise` which host, target or method is really meant, past the key under which others
 * get the answer; `address` who asked, in a word of a server in front that is one address and no chain.
 */
export type FieldRole =
  | 'forwarded'
  | 'forwarded-for'
  | 'forwarded-proto'
  | 'otherwise'
  | 'address'
  | 'nothing';

/** Clients share a few dozen names: they are worked out once. */
const known = new Map<string, FieldRole>();
const mostKnown = 512;
const longestKnown = 64;

export function fieldRole(name: string): FieldRole {
  const before = known.get(name);
  if (before !== undefined) return before;
  const telling = classifyFields(name);
  if (name.length > longestKnown) return telling;
  if (known.size >= mostKnown) known.clear();
  // A name may be a piece of a whole head, which it would keep in memory.
  known.set(Buffer.from(name, 'latin1').toString('latin1'), telling);
  return telling;
}

function classifyFields(name: string): FieldRole {
  const plain = plainName(name);
  const isSpelledSo = plain === name.toLowerCase();
  if (plain === 'forwarded') return 'forwarded';
  if (plain === 'x-forwarded-for') return isSpelledSo ? 'forwarded-for' : 'address';
  if (plain === 'x-forwarded-proto') return isSpelledSo ? 'forwarded-proto' : 'otherwise';
  if (saysOtherwise(plain)) return 'otherwise';
  return ofAddress.test(plain) ? 'address' : 'nothing';
}

const handedOn =
  /^(?:via|forwarded|cdn-loop|x-real-ip|x-varnish|(?:.*-)?client-ip|(?:x-client|x-envoy|x-azure|x-amzn|x-amz-cf|cf|fastly)-.*)$/;
// Publishing systems send these of themselves, with PURGE.
const ownToPurging: ReadonlySet<string> = new Set(['fastly-soft-purge', 'fastly-key']);

/** Whether a field is one that servers in front add to what they hand on. */
export function isHandingOn(name: string): boolean {
  const plain = plainName(name);
  if (ownToPurging.has(plain)) return false;
  return fieldRole(name) !== 'nothing' || handedOn.test(plain);
}
