import {
  isSearchedByBareWords,
  positiveLeaves,
  type QueryNode,
  scanWords,
  termOf,
} from '../../query/index.ts';
import type { SearchEngine } from '../engines/index.ts';

const maxWordsLookedUp = 8;

interface Written {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const viewName = /^:\s*\S+/;
// A word in capitals is an acronym or a name.
const capitals = /^\P{Ll}*\p{Lu}\P{Ll}*$/u;
const joinedBefore = /[\p{L}\p{N}][-‐‑'’_./@]$/u;
const joinedAfter = /^[-‐‑'’_./@][\p{L}\p{N}]/u;

/** Whether a word of a query is part of a longer one, such as `e-mail` or `node.js`. */
const isPart = (q: string, { start, end }: Written) =>
  joinedBefore.test(q.slice(Math.max(0, start - 3), start)) || joinedAfter.test(q.slice(end, end + 3));

const isCorrectable = (q: string, written: Written) =>
  !capitals.test(q.slice(written.start, written.end)) && !isPart(q, written);

/** Words of a query's text that it searches for; without names of attributes and views, and negated words. */
function searchedWords(q: string, query: QueryNode): Written[] {
  const searched = positiveLeaves(query).filter(
    ({ attribute, stop }) => !stop && (attribute === undefined || isSearchedByBareWords(attribute)),
  );
  const terms = new Set(searched.flatMap((leaf) => leaf.terms));
  const words: Written[] = [];
  let named = 0;
  scanWords(q, (word, _position, start, end) => {
    if (word === 'view') named = Math.max(named, end + (viewName.exec(q.slice(end))?.[0].length ?? 0));
    if (terms.has(termOf(word)) && q[end] !== ':' && start >= named) words.push({ word, start, end });
    return false;
  });
  return words;
}

/** A query with unknown words (eight at most) replaced by likely ones; undefined if unchanged. */
export async function correctedQuery(
  q: string,
  query: QueryNode,
  engine: Pick<SearchEngine, 'lookUp'>,
): Promise<string | undefined> {
  if (engine.lookUp === undefined) return undefined;
  const written = searchedWords(q, query).filter((one) => isCorrectable(q, one));
  const meant = new Map<string, string>();
  const words = [...new Set(written.map((one) => one.word))].slice(0, maxWordsLookedUp);
  const known = await Promise.all(words.map((word) => engine.lookUp?.(word, 1)));
  for (const [at, word] of words.entries()) {
    const best = known[at]?.similar[0];
    if (best !== undefined) meant.set(word, best.word);
  }
  if (meant.size === 0) return undefined;
  let corrected = '';
  let at = 0;
  for (const { word, start, end } of written) {
    corrected += q.slice(at, start) + (meant.get(word) ?? q.slice(start, end));
    at = end;
  }
  return corrected + q.slice(at);
}
