import {
  defaultLanguage,
  FoldedText,
  type Language,
  type QueryNode,
  type SearchedValue,
  type TermPlaces,
  TokenTable,
} from '../../query/index.ts';

/** A value's text, with search tables where these pay off. */
export interface ReadText {
  readonly text: string;
  readonly places?: TermPlaces;
}

const decoder = new TextDecoder();

/** A shorter text is read faster than its table. */
const minBytes = 512;

/** A table costs this many queries of a folded text. Pages that list all others are queried so often. */
const questionsForTable = 32;
/** The table of a longer text would delay other work too long. */
const maxForTable = 1024 * 1024;

interface Known extends ReadText {
  /** The last query, and the number of queries so far. */
  readonly last: QueryNode;
  readonly questions: number;
}

/** Data made from the values of objects in memory; it is freed with them. */
const known = new WeakMap<Uint8Array, Known>();

/**
 * The text of a value, decoded once while its object is in memory. An English text is folded at once, which
 * costs less than one query of the unfolded text, and gets a table of its tokens after many queries. A text
 * in another language gets its table with the second query, which costs about as much as two.
 */
export function readText(
  { value }: SearchedValue,
  query: QueryNode,
  language: Language = defaultLanguage,
): ReadText {
  if (typeof value === 'string') return { text: value };
  const before = known.get(value);
  if (before?.last === query) return before;
  const text = before?.text ?? decoder.decode(value);
  const questions = (before?.questions ?? 0) + 1;
  const places = value.length < minBytes ? undefined : placesFor(text, language, questions, before?.places);
  const read = { text, last: query, questions, ...(places && { places }) };
  known.set(value, read);
  return read;
}

function placesFor(
  text: string,
  language: Language,
  questions: number,
  before: TermPlaces | undefined,
): TermPlaces | undefined {
  if (before instanceof TokenTable) return before;
  const isFolded = language === 'en';
  if (text.length <= maxForTable && questions > (isFolded ? questionsForTable : 1))
    return new TokenTable(text, language);
  return before ?? (isFolded ? new FoldedText(text) : undefined);
}
