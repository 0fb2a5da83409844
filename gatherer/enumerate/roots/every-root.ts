import { withoutUser } from '../../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { gathererErrors, reasonOf } from '../../errors.ts';
import type { Enumerated, EnumerationMemory, Enumerator } from '../enumerator.ts';
import { OverlappingUrls } from './overlapping-urls.ts';

interface FailedRoot {
  readonly url: string;
  readonly error: GarnerError;
}

/** Max failed roots that are named; the others are counted. */
const maxNamed = 20;
const maxUrlLength = 500;

/** The error of a run in which no root could be read. */
function failureOf(failures: readonly FailedRoot[]): GarnerError {
  const [first] = failures as readonly [FailedRoot, ...FailedRoot[]];
  if (failures.length === 1) return first.error;
  const named = failures.slice(0, maxNamed).map(({ url, error }) => {
    const shown = withoutUser(url).slice(0, maxUrlLength);
    const reason = (/^(?:file:|\/)/.test(url) ? reasonOf(error) : error.message).replace(/\s+/g, ' ');
    return reason.startsWith(shown) ? reason : `${shown}: ${reason}`;
  });
  const more = failures.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
  const { exit, retry, status, hint } = first.error;
  const kind = { ...gathererErrors.GATHERER_ROOTS, exit, retry, status };
  return failure(kind, { roots: failures.length, list, hint }, first.error);
}

/**
 * All roots in turn, as one enumeration. A URL that one root leaves out and another yields is not left out; if no root
 * yields it, its item comes at the end. URLs that a root keeps without yielding count as yielded. An unreadable root
 * does not stop the others: it becomes a failure of the whole, so that nothing is deleted. When no root could be read,
 * it throws the error of the only one, or GATHERER_ROOTS with the exit code of the first. It also throws the signal's
 * reason.
 */
export async function* everyRoot(
  enumerators: readonly Enumerator[],
  memory: EnumerationMemory,
  signal?: AbortSignal,
): AsyncGenerator<Enumerated> {
  const failures: FailedRoot[] = [];
  const lost = new Set<Enumerator>();
  const shared = new OverlappingUrls(enumerators);
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
  if (failures.length > 0 && failures.length === enumerators.length) throw failureOf(failures);
  signal?.throwIfAborted();
  yield* shared.rest(lost);
  for (const failed of failures) yield { ...failed, depth: 0, kind: 'failed', whole: true };
}

/** An enumerator with the name of its root. */
export function rootedAt(root: string, enumerator: Enumerator): Enumerator {
  return {
    root,
    enumerate: (memory, signal) => enumerator.enumerate(memory, signal),
    decide: (url, signal) => enumerator.decide(url, signal),
    ...(enumerator.covers && { covers: enumerator.covers.bind(enumerator) }),
    ...(enumerator.spelled && { spelled: enumerator.spelled.bind(enumerator) }),
    ...(enumerator.urlPrefix !== undefined && { urlPrefix: enumerator.urlPrefix }),
  };
}
