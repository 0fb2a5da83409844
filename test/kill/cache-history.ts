import { type Random, seededRandom } from '../../kernel/index.ts';

/** A step of the killed process on the store of a cache. */
export type CacheStep =
  | { readonly do: 'store'; readonly key: string; readonly bytes: number }
  | { readonly do: 'head' | 'remove' | 'purge' | 'invalidate' | 'soft'; readonly key: string }
  | { readonly do: 'purge-tag' }
  | { readonly do: 'flush' };

export const cacheKeys = Array.from({ length: 40 }, (_, at) => `http://host${at % 3}.example/${at}`);

/** Every fourth key has the tag. */
export const tagOf = (key: string) => (cacheKeys.indexOf(key) % 4 === 0 ? 'fourth' : 'other');

const one = <Item>(random: Random, items: readonly Item[]) =>
  items[Math.floor(random.next() * items.length)] as Item;

/** Step `number` of a history. */
export function cacheStepAt(seed: number, number: number): CacheStep {
  const random = seededRandom(Math.imul(seed, 31) + number);
  const key = one(random, cacheKeys);
  const what = random.next();
  if (what < 0.08) return { do: 'flush' };
  if (what < 0.1) return { do: 'purge-tag' };
  if (what < 0.25)
    return { do: one(random, ['head', 'remove', 'purge', 'invalidate', 'soft'] as const), key };
  return { do: 'store', key, bytes: Math.floor(random.next() ** 4 * 700_000) };
}

/** The content that step `number` stores: no two have the same beginning. */
export function cacheContent(number: number, bytes: number): Buffer {
  const content = Buffer.alloc(bytes, `${number} `);
  for (let at = 0; at < bytes; at += 4096) content[at] = number & 255;
  return content;
}
