import type { CacheRequest } from '../requests/index.ts';
import { Fields, viaNames } from '../rules/index.ts';

const maxChildren = 250;
/** The max names of one address, so that made-up names do not displace the other addresses. */
const maxOfAddress = 50;
const maxNameLength = 100;

/** A cache that sends requests to this one, by its name in Via or a peer's address. */
export interface Child {
  /** Null for a peer that sends no Via. */
  readonly name: string | null;
  readonly address: string;
  readonly requests: number;
  readonly fromHere: number;
  readonly lastAtMs: number;
}

/** The caches that sent the latest requests; other clients are not listed. */
export class ChildCaches {
  /** In the order of their latest request. */
  readonly #children = new Map<string, { -readonly [Key in keyof Child]: Child[Key] }>();

  /** Count an answer if the request came from a cache. */
  add({ fromCache, fields, clientAddress: address }: CacheRequest, fromHere: boolean, atMs: number): void {
    if (!fromCache) return;
    const sender = viaNames(new Fields(fields).lines('via')).at(-1)?.slice(0, maxNameLength) ?? null;
    const isKnown = sender !== null && this.#children.has(`${address} ${sender}`);
    const name = isKnown || this.#namesAt(address) < maxOfAddress ? sender : null;
    const key = `${address} ${name ?? ''}`;
    const child = this.#children.get(key) ?? { name, address, requests: 0, fromHere: 0, lastAtMs: 0 };
    child.requests++;
    if (fromHere) child.fromHere++;
    child.lastAtMs = atMs;
    this.#children.delete(key);
    this.#children.set(key, child);
    if (this.#children.size <= maxChildren) return;
    for (const oldest of this.#children.keys()) {
      this.#children.delete(oldest);
      break;
    }
  }

  /** The latest requester first. */
  read(): readonly Child[] {
    return [...this.#children.values()].map((child) => ({ ...child })).toReversed();
  }

  #namesAt(address: string): number {
    let names = 0;
    for (const child of this.#children.values()) if (child.address === address) names++;
    return names;
  }
}
