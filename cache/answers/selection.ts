import { choose, type Fields, matches } from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';

/** The responses stored under a URL, and the one that answers a request. */
export interface Selection {
  /** The response whose selecting fields match the request; the latest if there are several. */
  readonly entry: Entry | undefined;
  readonly variants: readonly Entry[];
}

/** Find what is stored for a request: RFC 9111 4 and 4.1. */
export async function select(store: EntryStore, url: string, requestFields: Fields): Promise<Selection> {
  const found = store.variants(url);
  const variants = Array.isArray(found) ? (found as readonly Entry[]) : await found;
  if (variants.length === 0) return { entry: undefined, variants };
  return { entry: choose(variants.filter((entry) => matches(entry.head, requestFields))), variants };
}
