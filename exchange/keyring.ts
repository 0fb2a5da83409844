import { failure } from '../kernel/index.ts';
import {
  type KeyLink,
  type ServerId,
  type Succession,
  type SuccessionOutcome,
  successionFrom,
  successionOf,
} from '../soif/index.ts';
import type { Peer } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';

/** The servers' Ed25519 public keys: the first that a server showed holds, others' word only until then. */
export interface Keyring {
  /** The current key. */
  keyOf(server: ServerId): Promise<Uint8Array | undefined>;
  /** Remember the key that a server has proven; resolves to false when it proved another one before. */
  learn(server: ServerId, publicKey: Uint8Array): Promise<boolean>;
  /** Remember the key that another server reports of a publisher, unless one is known. */
  introduce(server: ServerId, publicKey: Uint8Array): Promise<void>;
  /**
   * Whether the key that a server has proven took the place of another one, which was reported of it before. Under a
   * keyring that cannot answer, no withdrawal of an object that is not held is believed.
   */
  hasReplaced?(server: ServerId): Promise<boolean>;
  /**
   * Reports an object that is not signed with the known key of its publisher. Where it is present such an object is
   * passed over; without it the round ends with EXCHANGE_UNVERIFIED.
   */
  passOver?(publisher: ServerId, url: string): void;
  /** All keys of a server that changed its key. A keyring without it knows one key of each server. */
  successionOf?(server: ServerId): Promise<Succession | undefined>;
  /** Follow the links from the known key of a server, from any sender; `foreign` where no key is known. */
  succeed?(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome>;
}

/** What a keyring knows of one server. */
export interface KeyRow {
  /** The first key that it proved in a handshake. */
  readonly proved?: Uint8Array | undefined;
  /** The key that another server reported of it. */
  readonly introduced?: Uint8Array | undefined;
  /** The links from one of these to its current key. */
  readonly links: readonly KeyLink[];
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

export const currentKey = ({ proved, introduced, links }: KeyRow) =>
  links.at(-1)?.next ?? proved ?? introduced;

/** The row after a server has proven a key; undefined when it may not be its key. */
export function rowLearned(row: KeyRow, key: Uint8Array): KeyRow | undefined {
  const { proved, links } = row;
  const isKnown = links.some((link) => isSame(link.key, key) || isSame(link.next, key));
  if (proved !== undefined || isKnown) {
    const known = currentKey(row);
    return known !== undefined && isSame(known, key) ? { ...row, proved: proved ?? key } : undefined;
  }
  // Links from a key that was only reported of it are those of another server.
  return { ...row, proved: key, links: [] };
}

/** What links mean to a row, and the row that has them. */
export function rowSucceeded(
  server: ServerId,
  row: KeyRow,
  links: readonly KeyLink[],
): { readonly outcome: SuccessionOutcome; readonly row?: KeyRow; readonly succession?: Succession } {
  const key = currentKey(row);
  if (key === undefined) return { outcome: 'foreign' };
  const { outcome, succession } = successionFrom(server, { key, links: row.links }, links);
  return { outcome, ...(succession && { succession, row: { ...row, links: succession.links } }) };
}

/**
 * Remember the key that a peer has proven, and the links that lead to it. Throws EXCHANGE_KEY for another key than the
 * known one, and EXCHANGE_RIVAL_KEY for another successor of a known key.
 */
export async function admitPeerKey(
  keyring: Keyring,
  { serverId: server, publicKey, succession = [] }: Pick<Peer, 'serverId' | 'publicKey' | 'succession'>,
): Promise<void> {
  const follow = async () => (succession.length === 0 ? 'same' : keyring.succeed?.(server, succession));
  const outcome = await follow();
  if (!(await keyring.learn(server, publicKey))) {
    const kind = outcome === 'rival' ? exchangeErrors.EXCHANGE_RIVAL_KEY : exchangeErrors.EXCHANGE_KEY;
    throw failure(kind, { server });
  }
  // A server whose key was unknown: its former keys have signed objects too.
  if (outcome === 'foreign') await follow();
}

/** A keyring in memory, for as long as the process lives. */
export class MemoryKeyring implements Keyring {
  readonly #rows = new Map<ServerId, KeyRow>();

  async keyOf(server: ServerId): Promise<Uint8Array | undefined> {
    return currentKey(this.#row(server));
  }

  async learn(server: ServerId, publicKey: Uint8Array): Promise<boolean> {
    const learned = rowLearned(this.#row(server), publicKey);
    if (learned !== undefined) this.#rows.set(server, learned);
    return learned !== undefined;
  }

  async introduce(server: ServerId, publicKey: Uint8Array): Promise<void> {
    const row = this.#row(server);
    if (currentKey(row) === undefined) this.#rows.set(server, { ...row, introduced: publicKey });
  }

  async hasReplaced(server: ServerId): Promise<boolean> {
    const { proved, introduced, links } = this.#row(server);
    return proved !== undefined && introduced !== undefined && !isReached(proved, introduced, links);
  }

  async successionOf(server: ServerId): Promise<Succession | undefined> {
    return successionOf(server, this.#row(server).links);
  }

  async succeed(server: ServerId, links: readonly KeyLink[]): Promise<SuccessionOutcome> {
    const { outcome, row } = rowSucceeded(server, this.#row(server), links);
    if (row !== undefined) this.#rows.set(server, row);
    return outcome;
  }

  #row(server: ServerId): KeyRow {
    return this.#rows.get(server) ?? { links: [] };
  }
}

/** Whether two keys are one, or keys of one succession. */
export function isReached(proved: Uint8Array, introduced: Uint8Array, links: readonly KeyLink[]): boolean {
  const keys = links.flatMap(({ key, next }) => [key, next]);
  const isIn = (key: Uint8Array) => keys.some((one) => isSame(one, key));
  return isSame(proved, introduced) || (isIn(proved) && isIn(introduced));
}
