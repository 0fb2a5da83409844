import {
  defaultLanguage,
  type Language,
  normalisePrefix,
  type QueryNode,
  scanWords,
  termOf,
  termsIn,
} from '../../query/index.ts';

/** Limits of a topic's synonyms: groups, words of a group, and words added to one query. */
export const synonymBounds = { groups: 10_000, words: 16, added: 32 } as const;

/** The weight of a synonym relative to the typed word. */
const synonymWeight = 0.5;

const switchPattern = /(^|\s)#nosynonyms(?=\s|$)/gi;

export interface Expanded {
  readonly query: QueryNode;
  readonly added: readonly string[];
}

/** Whether a query turns synonyms off with `#nosynonyms`, and its text without that. */
export function synonymSwitch(q: string): { readonly text: string; readonly off: boolean } {
  const text = q.replace(switchPattern, '$1');
  return { text, off: text !== q };
}

/** Whether a text is one word of an index. `e-mail` is two, and its last alone means something else. */
const isOneWord = (text: string) => scanWords(text, () => false) === 1;

/** The key by which words are compared: all forms of a word in a language share it. */
const keyOf = (text: string, language: Language) =>
  isOneWord(text) ? termOf(normalisePrefix(text), language) : text.toLowerCase();

/** The terms of quoted words, which are searched exactly. */
function quotedTerms(q: string, among: readonly Language[]): Set<string> {
  const terms = new Set<string>();
  for (const [, inside = ''] of q.matchAll(/["“”„‟«»＂]([^"“”„‟«»＂]*)["“”„‟«»＂]?/gu))
    scanWords(inside, (word) => {
      for (const term of termsIn(word, among)) terms.add(term);
      return false;
    });
  return terms;
}

/**
 * Words with the same meaning in a topic. A line is `car, automobile, motor car` (each means the others) or
 * `js => javascript, ecmascript` (one way). Text after `#` is ignored. Only single words of a query are
 * looked up. An added synonym may be a phrase.
 */
export class Synonyms {
  readonly #groups: { readonly words: readonly string[]; readonly meant: readonly string[] }[] = [];
  /** The synonyms of each word's term, by the languages in which queries were read. */
  readonly #others = new Map<Language, ReadonlyMap<string, readonly string[]>>();

  constructor(lines: Iterable<string>) {
    for (const line of lines) {
      const [left = '', right] = line.replace(/(^|\s)#.*$/, '').split('=>');
      const words = wordsOf(left);
      const meant = right === undefined ? words : wordsOf(right);
      if (words.length === 0 || meant.length === 0) continue;
      if (this.#groups.push({ words, meant }) === synonymBounds.groups) return;
    }
  }

  #othersIn(language: Language): ReadonlyMap<string, readonly string[]> {
    const made = this.#others.get(language);
    if (made !== undefined) return made;
    const others = new Map<string, readonly string[]>();
    for (const { words, meant } of this.#groups)
      for (const word of words) {
        if (!isOneWord(word)) continue;
        const key = keyOf(word, language);
        const known = others.get(key) ?? [];
        const added = meant.filter((other) => keyOf(other, language) !== key && !known.includes(other));
        if (added.length > 0) others.set(key, [...known, ...added].slice(0, synonymBounds.words));
      }
    this.#others.set(language, others);
    return others;
  }

  /** The query with each searched word that has synonyms replaced by an OR with them. Synonyms count less. */
  expand(q: string, query: QueryNode, among: Iterable<Language> = [defaultLanguage]): Expanded {
    if (this.#groups.length === 0) return { query, added: [] };
    const languages = [...among];
    const quoted = quotedTerms(q, languages);
    const othersOf = (word: string) => {
      if (!isOneWord(word)) return [];
      const terms = languages.map((language) => keyOf(word, language));
      if (terms.some((term) => quoted.has(term))) return [];
      return new Set(
        languages.flatMap((language, at) => this.#othersIn(language).get(terms[at] as string) ?? []),
      );
    };
    const added: string[] = [];
    const visit = (node: QueryNode): QueryNode => {
      switch (node.kind) {
        case 'word': {
          const room = [...othersOf(node.word)].slice(0, synonymBounds.added - added.length);
          if (room.length === 0) return node;
          added.push(...room);
          return { kind: 'or', operands: [node, ...room.map(synonymNode)] };
        }
        case 'attribute':
          return { ...node, operand: visit(node.operand) };
        case 'and':
        case 'or':
          return { ...node, operands: node.operands.map(visit) };
        // A negated word stays as it is, and other nodes have no plain words.
        default:
          return node;
      }
    };
    return { query: visit(query), added };
  }
}

function wordsOf(text: string): string[] {
  const words = text.split(',').map((word) => word.replace(/\s+/g, ' ').trim().slice(0, 128));
  return [...new Set(words.filter((word) => normalisePrefix(word) !== ''))].slice(0, synonymBounds.words);
}

function synonymNode(text: string): QueryNode {
  const words = text.split(' ');
  return words.length === 1
    ? { kind: 'word', word: text, weight: synonymWeight }
    : { kind: 'phrase', words, weight: synonymWeight };
}
