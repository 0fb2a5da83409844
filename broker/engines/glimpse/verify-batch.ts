import { isGarnerError } from '../../../kernel/index.ts';
import { compileQuery, type Language, type QueryNode } from '../../../query/index.ts';
import { decodeObject } from '../../../soif/index.ts';

/** Stored objects that a query is held against, and what is asked of all of them first. */
export interface VerifiedQuery {
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
  | { readonly number: number; readonly error: unknown };

type Predicate = ReturnType<typeof compileQuery>;

let compiled: { readonly query: VerifiedQuery; readonly text: string; readonly holds: Predicate } | undefined;

/** Batches of one query follow each other: it is compiled once for all of them. */
function predicateOf(query: VerifiedQuery): Predicate {
  const text = compiled?.query === query ? compiled.text : JSON.stringify([query.fallback, query.query]);
  if (compiled?.text !== text)
    compiled = { query, text, holds: compileQuery(query.query, undefined, query.fallback) };
  return compiled.holds;
}

/** Of each body whether it matches; one that is gone or cannot be read does not. */
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
  try {
    return holds(decodeObject(body));
  } catch (error) {
    if (isGarnerError(error)) return false;
    throw error;
  }
}
