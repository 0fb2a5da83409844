/**
 * Request fields that do not influence whether a fresh stored response answers a GET or HEAD (RFC 9111 4),
 * except that Vary may name them. A request with any other field is not answered in the fast lane.
 */
export const plainFields = [
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cookie',
  'dnt',
  'from',
  'origin',
  'priority',
  'purpose',
  'referer',
  'save-data',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-fetch-user',
  'sec-gpc',
  'sec-purpose',
  'traceparent',
  'tracestate',
  'upgrade-insecure-requests',
  'user-agent',
  'x-requested-with',
] as const;

/** Fields that the fast lane itself reads or ignores, numbered after the plain ones. */
const ownFields = [
  ...['host', 'connection', 'proxy-connection', 'keep-alive'],
  ...['if-none-match', 'if-modified-since'],
  // Doors and proxies add to these: they must not distinguish requests.
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip', 'x-request-id'],
];

/** Fields that change the end of a request or the use of its connection: a request with one leaves the lane. */
const framingFields = [
  ...['content-length', 'transfer-encoding', 'trailer', 'te'],
  ...['upgrade', 'http2-settings', 'expect'],
];

const names: readonly string[] = [...plainFields, ...ownFields, ...framingFields];

export const knownFields = names.length;
export const hostField = names.indexOf('host');
export const cookieField = names.indexOf('cookie');
export const connectionField = names.indexOf('connection');
export const proxyConnectionField = names.indexOf('proxy-connection');
export const noneMatchField = names.indexOf('if-none-match');
export const modifiedSinceField = names.indexOf('if-modified-since');
export const forwardedField = names.indexOf('forwarded');
export const forwardedProtoField = names.indexOf('x-forwarded-proto');
export const firstFramingField = names.indexOf('content-length');

/** The number of a plain field by its name in lower case, -1 for any other. */
export function plainFieldNumber(name: string): number {
  return (plainFields as readonly string[]).indexOf(name);
}

/** Bytes of a token (RFC 9110 5.6.2) in lower case; 0 for all others. */
export const nameBytes = new Uint8Array(256);
for (const char of "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz") {
  nameBytes[char.charCodeAt(0)] = char.charCodeAt(0);
  nameBytes[char.toUpperCase().charCodeAt(0)] = char.charCodeAt(0);
}

const slots = 256;
/** One step of a name's hash, which begins with 0, by a byte of `nameBytes`. */
export const nameHash = (hash: number, byte: number) => (Math.imul(hash, 31) + byte) & (slots - 1);

/** Field numbers at the slot of their name's hash or behind it (open addressing); -1 is the end of a run. */
const table = new Int16Array(slots).fill(-1);
const spelled: readonly Uint8Array[] = names.map((name) => Buffer.from(name, 'latin1'));
for (const [number, name] of spelled.entries()) {
  let slot = name.reduce(nameHash, 0);
  while (table[slot] !== -1) slot = (slot + 1) % slots;
  table[slot] = number;
}

function isName(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++)
    if (nameBytes[bytes[start + at] as number] !== name[at]) return false;
  return true;
}

/** The number of the field whose name is in `bytes` from `start` to `end` and has that hash; -1 for an unknown one. */
export function fieldNumber(bytes: Uint8Array, start: number, end: number, hash: number): number {
  for (let slot = hash; ; slot = (slot + 1) % slots) {
    const number = table[slot] as number;
    if (number < 0 || isName(bytes, start, end, spelled[number] as Uint8Array)) return number;
  }
}
