/** For servers that read `X_Host` and `X-Host` as the same (RFC 3875 4.1.18), names are compared without that difference. */
const plainName = (name: string) => name.toLowerCase().replaceAll('_', '-');

const otherwiseBeginnings = ['x-forwarded-', 'x-original-', 'x-rewrite-', 'x-http-'];
const otherwiseNames: ReadonlySet<string> = new Set([
  ...['x-forwarded', 'x-host', 'x-scheme', 'x-url-scheme', 'front-end-https', 'x-method-override'],
  ...['x-script-name', 'x-replaced-path'],
]);
// Who asked is nothing that an answer for all is made of; the scheme is part of the key.
const toldOn: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-proto']);

/** Whether a field says which host, target or method is really meant, past the key under which others get the answer. */
export function saysOtherwise(name: string): boolean {
  const plain = plainName(name);
  if (toldOn.has(plain)) return plain !== name.toLowerCase();
  return otherwiseNames.has(plain) || otherwiseBeginnings.some((beginning) => plain.startsWith(beginning));
}

const handedOn =
  /^(?:via|forwarded|cdn-loop|x-real-ip|x-varnish|(?:.*-)?client-ip|(?:x-client|x-envoy|x-azure|x-amzn|x-amz-cf|cf|fastly)-.*)$/;
// Publishing systems send these of themselves, with PURGE.
const ownToPurging: ReadonlySet<string> = new Set(['fastly-soft-purge', 'fastly-key']);

/** Whether a field is one that servers in front add to what they hand on. */
export function isHandingOn(name: string): boolean {
  const plain = plainName(name);
  if (ownToPurging.has(plain)) return false;
  return toldOn.has(plain) || saysOtherwise(name) || handedOn.test(plain);
}
