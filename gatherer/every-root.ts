import { type GarnerError, isGarnerError } from '../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator } from './enumerator.ts';

/**
 * All roots in turn, as one enumeration. A root that cannot be read leaves the others: it becomes a failure of the
 * whole, so that nothing is taken for gone. Throws the first root's error when no root could be read, and the
 * signal's reason.
 */
export async function* everyRoot(
  enumerators: readonly Enumerator[],
  memory: EnumerationMemory,
  signal?: AbortSignal,
): AsyncGenerator<Enumerated> {
  const failures: { readonly url: string; readonly error: GarnerError }[] = [];
  for (const enumerator of enumerators) {
    try {
      for await (const item of enumerator.enumerate(memory, signal)) {
        // What one root leaves out may be another's: if nobody meets it, it goes at the end of the run.
        const others = enumerators.filter((other) => other !== enumerator);
        if (item.kind === 'skipped' && (await isOfAny(others, item.url, signal))) continue;
        yield item;
      }
    } catch (error) {
      if (signal?.aborted === true || !isGarnerError(error)) throw error;
      failures.push({ url: enumerator.root ?? 'a root', error });
    }
  }
  const [first] = failures;
  if (first !== undefined && failures.length === enumerators.length) throw first.error;
  for (const failed of failures) yield { ...failed, depth: 0, kind: 'failed', whole: true };
}

async function isOfAny(
  enumerators: readonly Enumerator[],
  url: string,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const enumerator of enumerators) {
    const verdict = await enumerator.decide(url, signal).catch((error: unknown) => {
      if (signal?.aborted === true || !isGarnerError(error)) throw error;
      // It cannot be asked now: nothing of it is to be lost.
      return { included: true };
    });
    if (verdict.included) return true;
  }
  return false;
}

/** An enumerator that is called by the root it was made for. */
export function rootedAt(root: string, enumerator: Enumerator): Enumerator {
  return {
    root,
    enumerate: (memory, signal) => enumerator.enumerate(memory, signal),
    decide: (url, signal) => enumerator.decide(url, signal),
  };
}
