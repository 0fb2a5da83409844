import {
  defaultLanguage,
  FoldedText,
  type Language,
  type QueryNode,
  type SearchedValue,
  type TermPlaces,
  TokenTable,
} from '../../query/index.ts';

/** A value's text, with what finds terms in it where that is worth its making. */
export interface ReadText {
  readonly text: string;
  readonly places?: TermPlaces;
}

const decoder = new TextDecoder();

/** A shorter text is sooner read again. */
const minBytes = 512;

/** A table costs as much as this many questions to a folded text: pages that list all others are asked for that often. */
const questionsForTable = 32;
/** The table of a longer text takes longer than others should wait. */
const maxForTable = 1024 * 1024;

interface Known extends ReadText {
  /** The last question, and how many it has been asked. */
  readonly last: QueryNode;
  readonly questions: number;
}

/** What was made of the values of objects that are in memory; it goes with them. */
const known = new WeakMap<Uint8Array, Known>();

/**
 * The text of a value, decoded once while its object is kept. An English text is folded at once, which costs less than
 * one question without, and gets a table of its tokens when many have been asked; one in another language gets its table
 * with the second question, which costs about as much as two.
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
