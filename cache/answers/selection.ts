import { choose, type Fields, matches } from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';

/** What is stored under a URL, and which of it answers a request. */
export interface Selection {
  /** The response whose selecting fields are the request's; the latest of several. */
  readonly entry: Entry | undefined;
  readonly variants: readonly Entry[];
}

/** Find what is stored for a request: RFC 9111 4 and 4.1. */
export async function select(store: EntryStore, url: string, asked: Fields): Promise<Selection> {
  const found = store.variants(url);
  const variants = Array.isArray(found) ? (found as readonly Entry[]) : await found;
  if (variants.length === 0) return { entry: undefined, variants };
  return { entry: choose(variants.filter((entry) => matches(entry.head, asked))), variants };
}
