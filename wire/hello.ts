import { failure } from '../kernel/index.ts';
import {
  decodeKeyLinks,
  encodeKeyLinks,
  type Identity,
  type KeyLink,
  type ServerId,
  verifier,
} from '../soif/index.ts';
import { wireErrors } from './errors.ts';
import { maxHeaderNumber } from './frame.ts';
import { packRecord, unpackRecord } from './message.ts';
import { minWindowBytes, type WireLimits } from './settings.ts';

/** The side that opened the connection is the initiator. */
export type Side = 'initiator' | 'acceptor';

/** The server at the other end. It holds the key now; callers decide whose key that is. */
export interface Peer {
  readonly serverId: ServerId;
  /** Raw Ed25519 public key, 32 bytes. */
  readonly publicKey: Uint8Array;
  /** The links from its former keys, not verified yet; absent of a server that never changed its key. */
  readonly succession?: readonly KeyLink[];
  readonly name: string;
  /** The kind of server: `gatherer`, `broker`, ... */
  readonly role: string;
  /** Program and version. */
  readonly software: string;
}

/** This side's description of itself. */
export interface Self {
  readonly identity: Identity;
  readonly name: string;
  readonly role: string;
  readonly software?: string;
}

/** A peer's hello: its identity and its limits. */
export interface Hello {
  readonly peer: Peer;
  /** Initial credit in bytes of each of our channels. */
  readonly windowBytes: number;
  readonly maxFrameBytes: number;
  readonly maxMessageBytes: number;
  readonly maxChannels: number;
}

const version = 1;
const magic = Buffer.from('GRN1');
const nonceBytes = 32;
const maxHelloBytes = 4096;
const rolePattern = /^[a-z][a-z-]{0,31}$/;

/** Bytes of our hello: four of magic, then a record. `nonce` is 32 random bytes. */
export function helloBytes(self: Self, limits: WireLimits, nonce: Uint8Array): Uint8Array {
  if (!rolePattern.test(self.role)) throw new TypeError(`not a role: ${self.role}`);
  const record = {
    version,
    serverId: self.identity.serverId,
    publicKey: self.identity.publicKey,
    ...(self.identity.succession && { succession: encodeKeyLinks(self.identity.succession) }),
    nonce,
    name: self.name.slice(0, 200),
    role: self.role,
    software: (self.software ?? 'garner').slice(0, 100),
    window: limits.windowBytes,
    frame: limits.maxFrameBytes,
    message: limits.maxMessageBytes,
    channels: limits.maxChannels,
  };
  return Buffer.concat([magic, packRecord(record)]);
}

/** A peer's hello. Throws WIRE_HANDSHAKE when it is not a hello, of another version, or out of range. */
export function parseHello(bytes: Uint8Array, where: string): Hello {
  const refuse = (reason: string, cause?: unknown) =>
    failure(wireErrors.WIRE_HANDSHAKE, { where, reason }, cause);
  if (bytes.length > maxHelloBytes) throw refuse('its hello is too long');
  if (!magic.equals(bytes.subarray(0, magic.length))) throw refuse('its first bytes do not start a hello');
  let record: Record<string, unknown>;
  try {
    record = unpackRecord(bytes.subarray(magic.length));
  } catch (error) {
    throw refuse('its hello cannot be read', error);
  }
  if (record.version !== version) throw refuse(`it speaks version ${String(record.version).slice(0, 20)}`);
  const text = (field: string, pattern: RegExp): string => {
    const value = record[field];
    if (typeof value !== 'string' || !pattern.test(value)) throw refuse(`its ${field} is malformed`);
    return value;
  };
  const bytesOf = (field: string, length: number): Uint8Array => {
    const value = record[field];
    if (!(value instanceof Uint8Array) || value.length !== length) throw refuse(`its ${field} is malformed`);
    return value;
  };
  const count = (field: string, min: number): number => {
    const value = record[field];
    if (!Number.isSafeInteger(value) || (value as number) < min || (value as number) > maxHeaderNumber)
      throw refuse(`its ${field} is out of range`);
    return value as number;
  };
  bytesOf('nonce', nonceBytes);
  const { succession } = record;
  const links = succession instanceof Uint8Array ? decodeKeyLinks(succession) : undefined;
  if (succession !== undefined && links === undefined) throw refuse('its succession is malformed');
  return {
    peer: {
      ...(links && { succession: links }),
      serverId: text('serverId', /^[A-Za-z0-9_-]{22}$/) as ServerId,
      publicKey: bytesOf('publicKey', 32),
      name: text('name', /^.{0,200}$/su),
      role: text('role', rolePattern),
      software: text('software', /^.{0,100}$/su),
    },
    windowBytes: count('window', minWindowBytes),
    maxFrameBytes: count('frame', minWindowBytes),
    maxMessageBytes: count('message', minWindowBytes),
    maxChannels: count('channels', 1),
  };
}

/** Length of a proof: one Ed25519 signature. */
export const proofLength = 64;

/** The bytes that `speaker` signs: a label, its side and both hellos (ids, keys, nonces, roles, limits). */
function transcript(speaker: Side, initiatorHello: Uint8Array, acceptorHello: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(initiatorHello.length);
  return Buffer.concat([Buffer.from(`garner.1 proof ${speaker}\0`), length, initiatorHello, acceptorHello]);
}

/** Our proof that we hold the key of our hello now. `sent` and `received` are the hellos' bytes. */
export function proofBytes(
  identity: Identity,
  side: Side,
  sent: Uint8Array,
  received: Uint8Array,
): Uint8Array {
  return identity.sign(
    side === 'initiator' ? transcript(side, sent, received) : transcript(side, received, sent),
  );
}

/** Whether a peer's proof is valid. `side` is ours. */
export function proves(
  peer: Peer,
  side: Side,
  proof: Uint8Array,
  sent: Uint8Array,
  received: Uint8Array,
): boolean {
  const signed =
    side === 'initiator' ? transcript('acceptor', sent, received) : transcript('initiator', received, sent);
  return verifier(peer.publicKey)(signed, proof);
}

/** 32 random bytes make each proof good for one session. */
export const newNonce = (random: { bytes(length: number): Uint8Array }) => random.bytes(nonceBytes);
