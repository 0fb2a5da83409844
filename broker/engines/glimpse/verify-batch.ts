import { isGarnerError } from '../../../kernel/index.ts';
import {
  compileQuery,
  type Language,
  type QueryNode,
  queryErrors,
  StepBudget,
} from '../../../query/index.ts';
import { decodeObject, type SummaryObject } from '../../../soif/index.ts';

/** A query for the check of stored objects, with conditions that every match meets. */
export interface VerifiedQuery {
  /** Unique among all queries of this process. */
  readonly number: number;
  readonly query: QueryNode;
  readonly fallback: Language;
  /** The bytes of every match contain a word of each of these groups, in ASCII letters of any case. */
  readonly needed: readonly (readonly string[])[];
}

/** A batch for a worker thread. */
export interface BatchToVerify {
  readonly number: number;
  readonly query: VerifiedQuery;
  readonly bodies: readonly (Uint8Array | undefined)[];
}

/** The thread's answer: whether each body matches. */
export type BatchAnswer =
  | { readonly number: number; readonly matches: readonly boolean[] }
  /** The query's expressions have used up their budget. */
  | { readonly number: number; readonly costly: true }
  | { readonly number: number; readonly error: unknown };

type Predicate = ReturnType<typeof compileQuery>;

let compiled: { readonly number: number; readonly holds: Predicate } | undefined;

/** A query is compiled once for its batches, which follow each other, with one budget for this thread. */
function predicateOf({ number, query, fallback }: VerifiedQuery): Predicate {
  if (compiled?.number !== number)
    compiled = { number, holds: compileQuery(query, undefined, fallback, new StepBudget()) };
  return compiled.holds;
}

/** Whether each body matches. A deleted or unreadable one does not. Throws QUERY_COSTLY. */
export function matching(query: VerifiedQuery, bodies: readonly (Uint8Array | undefined)[]): boolean[] {
  const holds = predicateOf(query);
  return bodies.map((body) => body !== undefined && hasNeeded(body, query.needed) && holdsFor(body, holds));
}

function hasNeeded(body: Uint8Array, needed: VerifiedQuery['needed']): boolean {
  if (needed.length === 0) return true;
  // One character a byte, so that ASCII text can be searched in any encoding.
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1').toLowerCase();
  return needed.every((words) => words.some((word) => text.includes(word)));
}

function holdsFor(body: Uint8Array, holds: Predicate): boolean {
  let object: SummaryObject;
  try {
    object = decodeObject(body);
  } catch (error) {
    if (isGarnerError(error)) return false;
    throw error;
  }
  return holds(object);
}

/** A thread's answer to a batch. Errors would lose their type between threads. */
export function answerTo({ number, query, bodies }: BatchToVerify): BatchAnswer {
  try {
    return { number, matches: matching(query, bodies) };
  } catch (error) {
    return isGarnerError(error, queryErrors.QUERY_COSTLY) ? { number, costly: true } : { number, error };
  }
}
