import { normalisePrefix, type QueryNode, scanWords, termOf } from '../query/index.ts';

/** Bounds of a topic's synonyms: groups, words of a group, and words added to one query. */
export const synonymBounds = { groups: 10_000, words: 16, added: 32 } as const;

/** How much a synonym counts beside the word that was asked for. */
const synonymWeight = 0.5;

const switchPattern = /(^|\s)#nosynonyms(?=\s|$)/gi;

/** What a query means with synonyms, and which were added. */
export interface Expanded {
  readonly query: QueryNode;
  readonly added: readonly string[];
}

/** Whether a query asks for no synonyms with `#nosynonyms`, and its text without that. */
export function synonymSwitch(q: string): { readonly text: string; readonly off: boolean } {
  const text = q.replace(switchPattern, '$1');
  return { text, off: text !== q };
}

/** What words are compared by: all forms of one are that word. */
const keyOf = (text: string) => (/\s/.test(text) ? text.toLowerCase() : termOf(normalisePrefix(text)));

/** The words a person put between quotes: they are meant as they stand. */
function quotedWords(q: string): Set<string> {
  const words = new Set<string>();
  for (const [, inside = ''] of q.matchAll(/["“”„‟«»＂]([^"“”„‟«»＂]*)["“”„‟«»＂]?/gu))
    scanWords(inside, (word) => {
      words.add(termOf(word));
      return false;
    });
  return words;
}

/**
 * Words that mean the same in a topic. A line is `car, automobile, motor car` (each stands for the others) or
 * `js => javascript, ecmascript` (the left one is searched as the right ones too, not the other way round); what follows
 * `#` and empty lines say nothing. Only single words are looked for; what is added may be several, as a phrase.
 */
export class Synonyms {
  readonly #others = new Map<string, readonly string[]>();

  constructor(lines: Iterable<string>) {
    let groups = 0;
    for (const line of lines) {
      const [left = '', right] = line.replace(/(^|\s)#.*$/, '').split('=>');
      const words = wordsOf(left);
      const meant = right === undefined ? words : wordsOf(right);
      if (words.length === 0 || meant.length === 0 || groups++ === synonymBounds.groups) continue;
      for (const word of words) this.#add(word, meant);
    }
  }

  get size(): number {
    return this.#others.size;
  }

  #add(word: string, meant: readonly string[]): void {
    if (/\s/.test(word)) return;
    const key = keyOf(word);
    if (key === '') return;
    const known = this.#others.get(key) ?? [];
    const added = meant.filter((other) => keyOf(other) !== key && !known.includes(other));
    if (added.length > 0) this.#others.set(key, [...known, ...added].slice(0, synonymBounds.words));
  }

  /** The query with each wanted word that has synonyms made an OR of them, which count less. */
  expand(q: string, query: QueryNode): Expanded {
    if (this.#others.size === 0) return { query, added: [] };
    const quoted = quotedWords(q);
    const added: string[] = [];
    const visit = (node: QueryNode): QueryNode => {
      switch (node.kind) {
        case 'word': {
          const key = keyOf(node.word);
          const others = quoted.has(key) ? [] : (this.#others.get(key) ?? []);
          const room = others.slice(0, synonymBounds.added - added.length);
          if (room.length === 0) return node;
          added.push(...room);
          return { kind: 'or', operands: [node, ...room.map(synonymNode)] };
        }
        case 'attribute':
          return { ...node, operand: visit(node.operand) };
        case 'and':
        case 'or':
          return { ...node, operands: node.operands.map(visit) };
        // What is refused is refused as it stands, and other nodes hold no plain words.
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
