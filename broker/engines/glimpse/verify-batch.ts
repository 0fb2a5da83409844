import { isGarnerError } from '../../../kernel/index.ts';
import {
  compileQuery,
  type Language,
  type QueryNode,
  queryErrors,
  StepBudget,
} from '../../../query/index.ts';
import { decodeObject, type SummaryObject } from '../../../soif/index.ts';

/** Stored objects that a query is held against, and what is asked of all of them first. */
export interface VerifiedQuery {
  /** Its own among all queries of this process. */
  readonly number: number;
  readonly query: QueryNode;
  /** The language of objects that tell none. */
  readonly fallback: Language;
  /** Of each of these groups one word stands, in ASCII letters of any case, in the bytes of every match. */
  readonly needed: readonly (readonly string[])[];
}

/** A batch as a worker thread is given it. */
export interface BatchToVerify {
  readonly number: number;
  readonly query: VerifiedQuery;
  readonly bodies: readonly (Uint8Array | undefined)[];
}

/** What the thread says of it: of each body whether it matches. */
export type BatchAnswer =
  | { readonly number: number; readonly matches: readonly boolean[] }
  /** Its expressions have spent what they may. */
  | { readonly number: number; readonly costly: true }
  | { readonly number: number; readonly error: unknown };

type Predicate = ReturnType<typeof compileQuery>;

let compiled: { readonly number: number; readonly holds: Predicate } | undefined;

/** Batches of one query follow each other: it is compiled once for all of them, with one budget for this thread. */
function predicateOf({ number, query, fallback }: VerifiedQuery): Predicate {
  if (compiled?.number !== number)
    compiled = { number, holds: compileQuery(query, undefined, fallback, new StepBudget()) };
  return compiled.holds;
}

/** Of each body whether it matches; one that is gone or cannot be read does not. Throws QUERY_COSTLY. */
export function matching(query: VerifiedQuery, bodies: readonly (Uint8Array | undefined)[]): boolean[] {
  const holds = predicateOf(query);
  return bodies.map((body) => body !== undefined && hasNeeded(body, query.needed) && holdsFor(body, holds));
}

function hasNeeded(body: Uint8Array, needed: VerifiedQuery['needed']): boolean {
  if (needed.length === 0) return true;
  // One byte a character, so that ASCII stays what it is wherever it stands.
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

/** What a thread says of a batch; an error loses its kind on the way between threads. */
export function answerTo({ number, query, bodies }: BatchToVerify): BatchAnswer {
  try {
    return { number, matches: matching(query, bodies) };
  } catch (error) {
    return isGarnerError(error, queryErrors.QUERY_COSTLY) ? { number, costly: true } : { number, error };
  }
}
