import { type GarnerError, isGarnerError } from '../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator } from './enumerator.ts';
import { SharedUrls } from './shared-urls.ts';

/**
 * All roots in turn, as one enumeration. What one root leaves out and another tells of is not left out; where no other
 * does, that is told at the end. What a root keeps without telling of it counts as told. A root that cannot be read
 * leaves the others: it becomes a failure of the whole, so that nothing is taken for gone. Throws the first root's error
 * when no root could be read, and the signal's reason.
 */
export async function* everyRoot(
  enumerators: readonly Enumerator[],
  memory: EnumerationMemory,
  signal?: AbortSignal,
): AsyncGenerator<Enumerated> {
  const failures: { readonly url: string; readonly error: GarnerError }[] = [];
  const lost = new Set<Enumerator>();
  const shared = new SharedUrls(enumerators);
  for (const enumerator of enumerators) {
    try {
      for await (const item of enumerator.enumerate(shared.remembering(memory, enumerator), signal)) {
        if (item.kind === 'failed' && item.whole === true) lost.add(enumerator);
        if (shared.holds(item, enumerator)) yield item;
      }
    } catch (error) {
      if (signal?.aborted === true || !isGarnerError(error)) throw error;
      lost.add(enumerator);
      failures.push({ url: enumerator.root ?? 'a root', error });
    }
  }
  const [first] = failures;
  if (first !== undefined && failures.length === enumerators.length) throw first.error;
  signal?.throwIfAborted();
  yield* shared.rest(lost);
  for (const failed of failures) yield { ...failed, depth: 0, kind: 'failed', whole: true };
}

/** An enumerator that is called by the root it was made for. */
export function rootedAt(root: string, enumerator: Enumerator): Enumerator {
  return {
    root,
    enumerate: (memory, signal) => enumerator.enumerate(memory, signal),
    decide: (url, signal) => enumerator.decide(url, signal),
    ...(enumerator.covers && { covers: enumerator.covers.bind(enumerator) }),
    ...(enumerator.urlPrefix !== undefined && { urlPrefix: enumerator.urlPrefix }),
  };
}
