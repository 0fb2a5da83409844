import { isPlain, type Language, type QueryNode, stemOf, type WordNode, wordsOf } from '../../query/index.ts';
import type { SearchEngine } from '../engines/index.ts';

/** A query whose unknown words are searched as the beginnings or the parts of others. */
export interface LongerWords {
  readonly query: QueryNode;
  /** The unknown words, as they were typed. */
  readonly beginnings: readonly string[];
  readonly parts: readonly string[];
}

type Vocabulary = Pick<SearchEngine, 'complete' | 'lookUp' | 'languages'>;

const maxWords = 4;
// Shorter ones begin too many words, or are in too many.
const minBeginning = 4;
const minPart = 5;

/** Languages that write compounds as one word. In others a part of a word is seldom a word: `ration` in `configuration`. */
const compounding: ReadonlySet<Language> = new Set(['de', 'nl', 'sv', 'no', 'da', 'fi', 'hu']);

/** The plain words of a query outside of NOT. */
function plainWords(query: QueryNode): WordNode[] {
  switch (query.kind) {
    case 'and':
    case 'or':
      return query.operands.flatMap(plainWords);
    case 'word':
      return isPlain(query) ? [query] : [];
    default:
      return [];
  }
}

/** A word and its stems in languages with compounds, the longest first: `beiträgen` is in no word, `beitrag` is. */
function formsOf(word: string, among: readonly Language[]): string[] {
  const stems = among.map((language) => stemOf(word, language));
  return [...new Set([word, ...stems])].sort((a, b) => b.length - a.length);
}

/** What an unknown word is searched as: the beginning of words where there are such, else a part of words. */
async function longer(word: string, engine: Vocabulary): Promise<QueryNode | undefined> {
  const among = [...engine.languages.keys()].filter((language) => compounding.has(language));
  const forms = formsOf(word, among);
  for (const form of forms)
    if (
      form.length >= (form === word ? minBeginning : minPart) &&
      (await engine.complete(form, 1)).length > 0
    )
      return { kind: 'prefix', prefix: form };
  const parts = among.length === 0 ? [] : forms.filter((form) => form.length >= minPart);
  const nodes = parts.map((form): WordNode => ({ kind: 'word', word: form, part: true }));
  return nodes.length > 1 ? { kind: 'or', operands: nodes } : nodes[0];
}

function replaced(query: QueryNode, by: ReadonlyMap<QueryNode, QueryNode>): QueryNode {
  if (query.kind === 'and' || query.kind === 'or')
    return { ...query, operands: query.operands.map((operand) => replaced(operand, by)) };
  return by.get(query) ?? query;
}

/**
 * The query with its words without hits (four at most) as the beginnings of words, or else as parts of words, as compounds
 * need it: `krankenversicherung` for *Krankenversicherungsbeiträge*. Undefined where there is none.
 */
export async function longerWords(query: QueryNode, engine: Vocabulary): Promise<LongerWords | undefined> {
  const by = new Map<QueryNode, QueryNode>();
  const found = { beginnings: new Set<string>(), parts: new Set<string>() };
  for (const node of plainWords(query).slice(0, 2 * maxWords)) {
    const [word = '', ...more] = wordsOf(node.word);
    if (word === '' || more.length > 0 || by.size >= maxWords) continue;
    if ((await engine.lookUp?.(word, 0))?.objects !== 0) continue;
    const other = await longer(word, engine);
    if (other === undefined) continue;
    by.set(node, other);
    found[other.kind === 'prefix' ? 'beginnings' : 'parts'].add(node.word);
  }
  if (by.size === 0) return undefined;
  return { query: replaced(query, by), beginnings: [...found.beginnings], parts: [...found.parts] };
}
