import { failure, type GarnerError, isGarnerError } from '../../kernel/index.ts';
import { type ArchiveEntry, TooLarge } from '../../readers/archives/index.ts';
import { UnreadVariant } from '../../readers/compression/index.ts';
import type { UnnestBudget } from './budget.ts';
import { unnestErrors } from './errors.ts';
import type { Member, Refused } from './member.ts';
import { contentName, memberPath, shownName } from './member-path.ts';
import { type OpenedWrapper, openWrapper, type UnnestEnvironment } from './open-wrapper.ts';
import { ToolTrouble } from './tool-archive.ts';
import { carrierTypes, wrapperFormat } from './wrapper-format.ts';

/**
 * Presentation unnesting (Essence, harvest.txt 3.1), one layer: the documents inside a document of one of the
 * `unnestableTypes`, in their order, read one at a time. A member that is not allowed or not readable is yielded as
 * refused, and the others still come. A fault of the wrapper itself comes last as a refusal under its own name. Members
 * begin again at `recognise`; for members that are wrappers call this with `budget.deeper(member)`.
 * @param name the wrapper's own file name, for messages and for the name of a single content
 * @throws nothing but the reason of an aborted signal
 */
export async function* unnest(
  type: string,
  bytes: Uint8Array,
  name: string,
  budget: UnnestBudget,
  environment: UnnestEnvironment = {},
): AsyncGenerator<Member | Refused> {
  const label = shownName(name) || 'document';
  const { maxDepth } = budget.limits;
  const format = wrapperFormat(type, bytes, name);
  // A document that only may carry others is complete without them.
  if (carrierTypes.has(type) && (format === undefined || budget.depth >= maxDepth)) return;
  if (budget.depth >= maxDepth) {
    yield { path: label, error: failure(unnestErrors.UNNEST_DEPTH, { path: label, depth: maxDepth }) };
    return;
  }
  if (format === undefined) {
    const reason = 'its format is not supported';
    yield { path: label, error: failure(unnestErrors.UNNEST_FORMAT, { path: label, reason }) };
    return;
  }
  const before = budget.unpacked;
  try {
    const opened = await openWrapper(format, bytes, label, budget, environment);
    if (opened.kind === 'content')
      yield await content(opened.chunks, label, budget).finally(() => opened.close());
    else yield* members(opened, label, budget, environment.signal);
  } catch (error) {
    environment.signal?.throwIfAborted();
    const refusal = failureOf(error, label);
    if (isGarnerError(refusal, unnestErrors.UNNEST_RATIO)) budget.giveBack(before);
    yield { path: label, error: refusal };
  }
}

/** The last second of the year 9999: a later time is ignored. */
const latest = 253_402_300_799;

async function* members(
  opened: OpenedWrapper & { readonly kind: 'entries' },
  label: string,
  budget: UnnestBudget,
  signal: AbortSignal | undefined,
): AsyncGenerator<Member | Refused> {
  let held: Member | undefined;
  let count = 0;
  for await (const entry of opened.entries) {
    signal?.throwIfAborted();
    budget.countMember(label);
    if (entry.folder === true) continue;
    const result = await memberOf(entry, budget, opened.charged);
    count++;
    // Whether the first member is the only one is known with the next.
    if (opened.single && count === 1 && 'bytes' in result) {
      held = result;
      continue;
    }
    if (held !== undefined) yield held;
    held = undefined;
    yield result;
  }
  if (held !== undefined) yield { ...held, kind: 'content' };
}

async function memberOf(
  entry: ArchiveEntry,
  budget: UnnestBudget,
  charged: boolean,
): Promise<Member | Refused> {
  const shown = shownName(entry.name);
  const refused = (error: GarnerError): Refused => ({ path: shown, error });
  const safe = memberPath(entry.name);
  const fault = 'fault' in safe ? safe.fault : entry.fault;
  if (fault !== undefined || 'fault' in safe)
    return refused(failure(unnestErrors.UNNEST_PATH, { path: shown, reason: fault ?? 'not plain' }));
  if (entry.unread !== undefined)
    return refused(failure(unnestErrors.UNNEST_FORMAT, { path: shown, reason: entry.unread }));
  try {
    const max = budget.memberBytes;
    // A member that is not unpacked costs its siblings nothing.
    if (entry.size !== undefined && entry.size > max) throw new TooLarge(max);
    // The reader enforces the declared size, so it can be charged before unpacking.
    if (!charged) budget.charge(entry.size ?? 0, shown);
    const bytes = await entry.read(max);
    const { modified = Number.POSITIVE_INFINITY } = entry;
    return { path: safe.path, bytes, kind: 'member', ...(modified > latest ? {} : { modified }) };
  } catch (error) {
    // An overcharge within a stream ends the stream.
    if (charged && isGarnerError(error)) throw error;
    return refused(failureOf(error, shown));
  }
}

async function content(
  chunks: AsyncIterable<Uint8Array>,
  label: string,
  budget: UnnestBudget,
): Promise<Member | Refused> {
  const path = contentName(label);
  const max = budget.memberBytes;
  const parts: Uint8Array[] = [];
  let length = 0;
  let cut: GarnerError | undefined;
  budget.countMember(label);
  try {
    for await (const chunk of chunks) {
      length += chunk.length;
      if (length > max) throw new TooLarge(max);
      parts.push(chunk);
    }
  } catch (error) {
    if (isGarnerError(error)) throw error;
    cut = failureOf(error, label);
    if (length === 0 || cut.code !== unnestErrors.UNNEST_BROKEN.code) return { path: label, error: cut };
  }
  const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, length);
  return { path, bytes, kind: 'content', ...(cut === undefined ? {} : { cut }) };
}

/** The typed error for a reader's error over hostile bytes, which becomes the cause. */
export function failureOf(error: unknown, path: string): GarnerError {
  if (isGarnerError(error)) return error;
  if (error instanceof TooLarge)
    return failure(unnestErrors.UNNEST_SIZE, { path, bytes: error.max, what: 'in one member' }, error);
  const reason = error instanceof Error ? error.message : 'its bytes make no sense';
  if (error instanceof ToolTrouble) return failure(unnestErrors.UNNEST_TROUBLE, { path, reason }, error);
  const kind = error instanceof UnreadVariant ? unnestErrors.UNNEST_FORMAT : unnestErrors.UNNEST_BROKEN;
  return failure(kind, { path, reason }, error);
}
