import { failure } from '../kernel/index.ts';
import {
  decodeKeyLinks,
  deltaOf,
  digestOf,
  encodeKeyLinks,
  encodeObject,
  type Identity,
  type KeyLink,
  oidOf,
  parseSoif,
  printObject,
  provenanceBytes,
  type ServerId,
  type SummaryObject,
  withdrawalBytes,
} from '../soif/index.ts';
import { publicationErrors } from './errors.ts';

/** A signed object, or the signed statement that its content is unchanged or that it is withdrawn, over HTTP. */
export interface Publication {
  readonly publisher: ServerId;
  /** Raw Ed25519 public key of the publisher, 32 bytes. */
  readonly key: Uint8Array;
  /** Update-Time that the signature covers; seconds since 1970. */
  readonly updatedAt: number;
  /** Ed25519 over `provenanceBytes`, or `withdrawalBytes` for a withdrawal; 64 bytes. */
  readonly signature: Uint8Array;
  readonly url: string;
  /** Absent: the content is the one that was published before. */
  readonly object?: SummaryObject;
  /** Absent `object`, present `delta`: what changed in the content that was published before (`deltaOf`). */
  readonly delta?: Uint8Array;
  /** The object is removed, as it was at `updatedAt`. */
  readonly isWithdrawn?: true;
  /** The links from former keys of the publisher to this one; not verified yet. */
  readonly succession?: readonly KeyLink[];
}

/** The JSON of one publication. Bytes are base64url. */
interface PublicationJson {
  readonly publisher: string;
  readonly key: string;
  readonly updatedAt: number;
  readonly signature: string;
  readonly url: string;
  /** The object as SOIF text. */
  readonly soif?: string;
  /** The change of the object that was published before, in the place of `soif`. */
  readonly delta?: string;
  readonly withdrawn?: true;
  readonly succession?: string;
}

const bytes = { publisher: 16, key: 32, signature: 64 } as const;

const maxUrl = 8192;
const maxDeltaLength = 100_000;

/**
 * Sign an object, or with `isUnchanged` only that its content is still the same. With `last`, the version that the
 * receiver took last, only the change is sent where that is much shorter.
 */
export function publicationOf(
  { serverId, publicKey, sign, succession }: Identity,
  object: SummaryObject,
  {
    updatedAt,
    isUnchanged = false,
    last,
  }: {
    readonly updatedAt: number;
    readonly isUnchanged?: boolean;
    readonly last?: SummaryObject | undefined;
  },
): Publication {
  const { url } = object;
  const signature = sign(provenanceBytes(oidOf(serverId, url), digestOf(object), updatedAt));
  const bare = { publisher: serverId, key: publicKey, updatedAt, signature, url };
  // A renewal stays short: the receiver of the content has the links too.
  if (isUnchanged) return bare;
  const signed = succession === undefined ? bare : { ...bare, succession };
  const delta = last && deltaOf(encodeObject(last), encodeObject(object));
  return delta === undefined ? { ...signed, object } : { ...signed, delta };
}

/** Sign that the object of a URL is withdrawn: versions up to `updatedAt` are removed, and do not return. */
export function withdrawalOf(
  { serverId, publicKey, sign }: Identity,
  url: string,
  updatedAt: number,
): Publication {
  const signature = sign(withdrawalBytes(oidOf(serverId, url), updatedAt));
  return { publisher: serverId, key: publicKey, updatedAt, signature, url, isWithdrawn: true };
}

const text = (value: Uint8Array) => Buffer.from(value).toString('base64url');

/** What a publication looks like as the body of `POST /publish`. */
export function publicationJson({
  key,
  signature,
  object,
  delta,
  isWithdrawn,
  succession,
  ...rest
}: Publication): PublicationJson {
  const soif = object === undefined ? {} : { soif: Buffer.from(printObject(object)).toString() };
  const changed = delta === undefined ? {} : { delta: text(delta) };
  const withdrawn = isWithdrawn === true ? { withdrawn: isWithdrawn } : {};
  const links = succession === undefined ? {} : { succession: text(encodeKeyLinks(succession)) };
  return { ...rest, key: text(key), signature: text(signature), ...soif, ...changed, ...withdrawn, ...links };
}

const bad = (reason: string, cause?: unknown) =>
  failure(publicationErrors.PUBLICATION_INVALID, { reason }, cause);

function bytesOf(row: Readonly<Record<string, unknown>>, name: keyof typeof bytes): Uint8Array {
  const value = row[name];
  const decoded =
    typeof value === 'string' && /^[\w-]{1,90}$/.test(value) ? Buffer.from(value, 'base64url') : undefined;
  if (decoded?.length !== bytes[name]) throw bad(`its ${name} is not ${bytes[name]} bytes in base64url`);
  return new Uint8Array(decoded);
}

async function objectOf(soif: string): Promise<SummaryObject> {
  const objects: SummaryObject[] = [];
  try {
    for await (const { object } of parseSoif([Buffer.from(soif)])) objects.push(object);
  } catch (error) {
    throw bad(`its soif is not SOIF: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  const [object] = objects;
  if (object === undefined || objects.length > 1) throw bad('its soif is not one object');
  return object;
}

/** Read the JSON of one publication; nothing is verified yet. Throws PUBLICATION_INVALID. */
export async function readPublication(value: unknown): Promise<Publication> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad('it is not an object');
  const row = value as Readonly<Record<string, unknown>>;
  const { updatedAt, url, soif, delta, withdrawn, succession } = row;
  if (typeof url !== 'string' || url === '' || url.length > maxUrl)
    throw bad(`its url is not a text of at most ${maxUrl} characters`);
  if (!Number.isSafeInteger(updatedAt) || (updatedAt as number) < 0)
    throw bad('its updatedAt is not a whole number of seconds');
  if (soif !== undefined && typeof soif !== 'string') throw bad('its soif is not a text');
  const isDelta = typeof delta === 'string' && delta.length <= maxDeltaLength && /^[\w-]+$/.test(delta);
  if (delta !== undefined && (!isDelta || soif !== undefined))
    throw bad('its delta is not base64url of a small change, or it has an object too');
  if (withdrawn !== undefined && (withdrawn !== true || soif !== undefined || delta !== undefined))
    throw bad('its withdrawn is not true, or it has an object too');
  const isLinks = typeof succession === 'string' && /^[\w-]{1,2200}$/.test(succession);
  const links = isLinks ? decodeKeyLinks(Buffer.from(succession, 'base64url')) : undefined;
  if (succession !== undefined && links === undefined) throw bad('its succession is not links of keys');
  const object = soif === undefined ? undefined : await objectOf(soif);
  if (object !== undefined && object.url !== url) throw bad('its url is not that of its object');
  return {
    publisher: text(bytesOf(row, 'publisher')) as ServerId,
    key: bytesOf(row, 'key'),
    signature: bytesOf(row, 'signature'),
    ...{ updatedAt: updatedAt as number, url },
    ...(object && { object }),
    ...(links && { succession: links }),
    ...(isDelta && { delta: new Uint8Array(Buffer.from(delta, 'base64url')) }),
    ...(withdrawn === true && { isWithdrawn: withdrawn }),
  };
}
