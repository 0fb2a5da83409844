import type { ByteRange, StoredHead } from '../../rules/index.ts';
import type { Entry } from './entry.ts';

export type Part = ByteRange & { readonly total: number };

/** The response that a writer writes. */
export interface EntryPlan {
  readonly key: string;
  readonly head: StoredHead;
  readonly length?: number | undefined;
  readonly part?: Part | undefined;
  readonly tags?: readonly string[];
}

/** A plan with bounded tags. */
export type TaggedPlan = EntryPlan & { readonly tags: readonly string[] };

/** An entry of a store: a snapshot with its slot in the store. */
export interface StoredEntry extends Entry {
  readonly slot: number;
}

/** The max number of responses of one key; more are a fault of the selecting fields. */
export const maxVariants = 64;
const maxTags = 64;
const maxTagLength = 256;

/** Tags as they are stored: without empty ones and duplicates, within the limits of the contract. */
function boundedTags(tags: readonly string[] = []): readonly string[] {
  if (tags.length === 0) return tags;
  return [...new Set(tags)].filter((tag) => tag !== '' && tag.length <= maxTagLength).slice(0, maxTags);
}

/** A plan with its tags bounded. */
export function tagged({ key, head, length, part, tags }: EntryPlan): TaggedPlan {
  return { key, head, length, part, tags: boundedTags(tags) };
}

/** Whether two responses of one key answer the same requests: the later replaces the earlier. */
export function sameSelecting(a: StoredHead, b: StoredHead): boolean {
  const [left, right] = [a.selecting, b.selecting];
  return left.length === right.length && left.every((text, at) => text === right[at]);
}

/** The latest received first; of two received at the same time the one stored last. */
export function byReceipt(a: Entry, b: Entry): number {
  return b.head.receivedAtMs - a.head.receivedAtMs || b.id - a.id;
}

const objectBytes = 600;

/** The approximate memory of an entry besides its content: its strings and the objects around them. */
export function headBytes({ key, head, tags }: { key: string; head: StoredHead; tags: readonly string[] }) {
  let bytes = objectBytes + key.length;
  for (const text of head.fields) bytes += text.length + 24;
  for (const text of head.selecting) bytes += text.length + 24;
  for (const tag of tags) bytes += tag.length + 24;
  return bytes;
}

/** Whether `written` bytes match the plan of an entry. */
export function fitsPlan(plan: EntryPlan, written: number): boolean {
  if (plan.length !== undefined && plan.length !== written) return false;
  const { part } = plan;
  return part === undefined || (part.last - part.first + 1 === written && part.last < part.total);
}

/** The offsets of the requested bytes within the stored content; undefined when some of them are not stored. */
export function withinContent(entry: Entry, range?: ByteRange): { from: number; end: number } | undefined {
  if (range === undefined) return { from: 0, end: entry.contentLength };
  const base = entry.part?.first ?? 0;
  const [from, end] = [range.first - base, range.last - base + 1];
  return from >= 0 && from < end && end <= entry.contentLength ? { from, end } : undefined;
}

/** 32 bits of a key; two seeds give two independent numbers. */
export function keyHash(key: string, seed: number): number {
  let hash = seed ^ key.length;
  for (let at = 0; at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The max length of a list of the hottest or largest. */
const maxLength = 100;

/** The `count` items of highest rank, highest first; holds no more than those at any time. */
export function largestFirst<Item>(
  items: Iterable<Item>,
  rank: (item: Item) => number,
  count: number,
): Item[] {
  const best: { item: Item; rank: number }[] = [];
  const wanted = Math.min(Math.max(0, count), maxLength);
  for (const item of items) {
    const own = rank(item);
    if (best.length === wanted && own <= (best.at(-1)?.rank ?? Number.POSITIVE_INFINITY)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1] as { rank: number }).rank < own) at--;
    best.splice(at, 0, { item, rank: own });
    if (best.length > wanted) best.pop();
  }
  return best.map(({ item }) => item);
}
