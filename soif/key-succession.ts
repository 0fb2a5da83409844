import type { ServerId } from './identifiers.ts';
import { verifier } from './verifier.ts';

/**
 * The statement of a server that a new key follows its old one. Of a key that follows itself it says only that all keys
 * before it are revoked.
 */
export interface KeyLink {
  /** Raw Ed25519 public key, 32 bytes, of the key before. */
  readonly key: Uint8Array;
  readonly next: Uint8Array;
  /** Seconds since 1970. */
  readonly at: number;
  /** Whether every key before `next` is revoked: what only such a key has signed is no longer valid. */
  readonly isRevoked: boolean;
  /** Signature by `key`, 64 bytes. */
  readonly signature: Uint8Array;
  /** Signature by `next` over the same bytes: nobody can hand over to a key of another one. */
  readonly proof: Uint8Array;
}

/** A server with its key. */
interface Signer {
  readonly serverId: ServerId;
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Uint8Array;
}

/** The keys of a server, as its links show. */
export interface Succession {
  readonly current: Uint8Array;
  /** Keys whose signatures are valid: the current one, then those before it that are not revoked. */
  readonly valid: readonly Uint8Array[];
  readonly revoked: readonly Uint8Array[];
  readonly links: readonly KeyLink[];
}

/** A server's key as it is known, with the links that led to it. */
export interface KnownKey {
  /** The current key; the key that was seen first where there are no links. */
  readonly key: Uint8Array;
  readonly links: readonly KeyLink[];
}

/**
 * What links mean to one who knows a key: `taken` when they are news, `same` when they are not, `rival` when they lead
 * from a known key to another successor than the known one, `foreign` when they do not lead from a known key at all.
 */
export type SuccessionOutcome = 'taken' | 'same' | 'rival' | 'foreign';

export const maxKeyLinks = 8;

const label = Buffer.from('garner key 1\n');
const [keyBytes, timeBytes, signatureBytes] = [32, 8, 64];
/** The bytes of one link. */
export const keyLinkBytes = 2 * keyBytes + timeBytes + 1 + 2 * signatureBytes;

const same = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
const holds = (keys: readonly Uint8Array[], key: Uint8Array) => keys.some((one) => same(one, key));
const isEqual = (a: KeyLink, b: KeyLink) => same(encodeKeyLinks([a]), encodeKeyLinks([b]));

type Statement = Pick<KeyLink, 'key' | 'next' | 'at' | 'isRevoked'>;

function statement({ key, next, at, isRevoked }: Statement): Uint8Array {
  const time = Buffer.alloc(timeBytes);
  time.writeBigUInt64BE(BigInt(at));
  return Buffer.concat([key, next, time, Buffer.of(isRevoked ? 1 : 0)]);
}

const signed = (server: ServerId, said: Statement) =>
  Buffer.concat([label, Buffer.from(server, 'base64url'), statement(said)]);

/** Sign that `to` follows `from`; with the same identity twice, only that the keys before it are revoked. */
export function keyLink(
  from: Signer,
  to: Signer,
  { at, isRevoked }: Pick<KeyLink, 'at' | 'isRevoked'>,
): KeyLink {
  const said = { key: from.publicKey, next: to.publicKey, at, isRevoked };
  const bytes = signed(from.serverId, said);
  return { ...said, signature: from.sign(bytes), proof: to.sign(bytes) };
}

/** The links as bytes, 201 each. */
export function encodeKeyLinks(links: readonly KeyLink[]): Uint8Array {
  return Buffer.concat(links.flatMap((link) => [statement(link), link.signature, link.proof]));
}

/** Links of bytes; nothing is verified yet. Undefined for bytes that are not those of at most `maxKeyLinks` links. */
export function decodeKeyLinks(bytes: Uint8Array): readonly KeyLink[] | undefined {
  const count = bytes.length / keyLinkBytes;
  if (!Number.isInteger(count) || count > maxKeyLinks) return undefined;
  const links: KeyLink[] = [];
  for (let n = 0; n < count; n++) {
    // A copy: keys stay known for long, the message does not.
    const link = Buffer.from(bytes.slice(n * keyLinkBytes, (n + 1) * keyLinkBytes));
    const at = Number(link.readBigUInt64BE(2 * keyBytes));
    const flag = link[2 * keyBytes + timeBytes];
    if (!Number.isSafeInteger(at) || (flag !== 0 && flag !== 1)) return undefined;
    const field = (begin: number, length: number) => new Uint8Array(link.subarray(begin, begin + length));
    const signature = 2 * keyBytes + timeBytes + 1;
    links.push({
      ...{ key: field(0, keyBytes), next: field(keyBytes, keyBytes), at, isRevoked: flag === 1 },
      signature: field(signature, signatureBytes),
      proof: field(signature + signatureBytes, signatureBytes),
    });
  }
  return links;
}

/** The keys of links that follow one another and are signed; undefined for any others, and for none. */
export function successionOf(server: ServerId, links: readonly KeyLink[]): Succession | undefined {
  const last = links.at(-1);
  if (last === undefined || links.length > maxKeyLinks) return undefined;
  let valid: readonly Uint8Array[] = [];
  let revoked: readonly Uint8Array[] = [];
  for (const [n, link] of links.entries()) {
    const { key, next, at, isRevoked, signature, proof } = link;
    const before = links[n - 1];
    if (before === undefined) valid = [key];
    else if (!same(before.next, key) || at < before.at) return undefined;
    const isStep = !same(key, next);
    if (isStep ? holds([...valid, ...revoked], next) : !isRevoked) return undefined;
    const bytes = signed(server, link);
    if (!verifier(key)(bytes, signature) || !verifier(next)(bytes, proof)) return undefined;
    const older = isStep ? valid : valid.slice(1);
    if (isRevoked) revoked = [...older, ...revoked];
    valid = isRevoked ? [next] : [next, ...older];
  }
  return { current: last.next, valid, revoked, links };
}

/**
 * What a server's links mean to one who knows its key. The first known successor of a key holds: a thief of the key can
 * sign another one, but not replace it. The links that are known stay, so that a revocation is never taken back.
 */
export function successionFrom(
  server: ServerId,
  known: KnownKey,
  links: readonly KeyLink[],
): { readonly outcome: SuccessionOutcome; readonly succession?: Succession } {
  if (links.every((link) => known.links.some((one) => isEqual(one, link)))) return { outcome: 'same' };
  const came = successionOf(server, links);
  if (came === undefined) return { outcome: 'foreign' };
  const last = known.links.at(-1);
  if (last === undefined) {
    // Keys before it count too: each key has proven that it follows the one before.
    if (!holds([...came.valid, ...came.revoked], known.key)) return { outcome: 'foreign' };
    return { outcome: 'taken', succession: came };
  }
  const at = links.findIndex((link) => isEqual(link, last));
  if (at < 0 && !same((links[0] as KeyLink).key, known.key)) return { outcome: judged(known, came) };
  const news = links.slice(at + 1);
  if (news.length === 0) return { outcome: 'same' };
  const succession = successionOf(server, [...known.links, ...news].slice(-maxKeyLinks));
  return succession === undefined ? { outcome: 'rival' } : { outcome: 'taken', succession };
}

/** Links that do not continue the known ones: a rival where they share a key. */
function judged(known: KnownKey, came: Succession): 'rival' | 'foreign' {
  const keys = known.links.flatMap(({ key, next }) => [key, next]);
  return [...came.valid, ...came.revoked].some((key) => holds(keys, key)) ? 'rival' : 'foreign';
}
