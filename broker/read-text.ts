import {
  defaultLanguage,
  type Language,
  type QueryNode,
  type SearchedValue,
  TokenTable,
} from '../query/index.ts';

/** A value's text, with a table of its tokens where several questions have looked at it. */
export interface ReadText {
  readonly text: string;
  readonly table?: TokenTable;
}

const decoder = new TextDecoder();

/** A shorter text is read again sooner than its table. */
const leastBytes = 512;

/** What was made of the values of objects that are in memory, and for which question first; it goes with them. */
const known = new WeakMap<Uint8Array, ReadText & { readonly first: QueryNode }>();

/**
 * The text of a value. It is decoded once while its object is kept; a text that is looked at for a second question gets
 * a table of its tokens in the language of its object, which costs about as much as two questions without.
 */
export function readText(
  { value }: SearchedValue,
  query: QueryNode,
  language: Language = defaultLanguage,
): ReadText {
  if (typeof value === 'string') return { text: value };
  const before = known.get(value);
  if (before === undefined) {
    const read = { text: decoder.decode(value), first: query };
    known.set(value, read);
    return read;
  }
  if (before.table !== undefined || before.first === query || value.length < leastBytes) return before;
  const { text, first } = before;
  const read = { text, first, table: new TokenTable(text, language) };
  known.set(value, read);
  return read;
}
