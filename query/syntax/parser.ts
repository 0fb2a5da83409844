import { cutText, hasToken, scanWords } from '../words/index.ts';
import { comparedAs } from './comparison.ts';
import { type KnownAttributes, lexQuery, wordNode } from './lexer.ts';
import { mapErrors } from './map-leaves.ts';
import { type ScopedLexemes, withoutOptions } from './option-scopes.ts';
import { printOptions, type QueryOptions } from './options.ts';
import { printQuery } from './printer.ts';
import { type NearOperand, nearLeaves, type QueryNode } from './tree.ts';
import { withTypedExclusions } from './typed-exclusions.ts';
import { nodesIn } from './web-operators.ts';

/**
 * Limits of a query: UTF-16 units of text, nodes of the tree, nesting, words with errors. Parts beyond a
 * limit are left out, with a note. `regexBounds` limits the total size of its regular expressions.
 */
export const queryBounds = { length: 4096, nodes: 256, depth: 32, approximate: 32 } as const;

/** A parsed query text. */
export interface ParsedQuery {
  readonly query: QueryNode;
  /** The options of the whole query. Those for comparison are already applied to the tree. */
  readonly options: QueryOptions;
  /** The query printed back in full, options included. */
  readonly understood: string;
  /** One sentence for each part that was not taken as written. */
  readonly notes: readonly string[];
}

/** Context for reading a query text. */
export interface ParseContext {
  /** Seconds since 1970: ages such as `30d` are times before it. Without it there are no ages. */
  readonly now?: number;
  /** Options that apply where the text does not set them. */
  readonly options?: QueryOptions;
  /** A name before a colon is an attribute only if it is one of these. Without them every name is. */
  readonly attributes?: KnownAttributes;
}

const everything: QueryNode = { kind: 'all' };
const nothing: QueryNode = { kind: 'not', operand: { kind: 'all' } };

/**
 * Read a query: words, "phrases", prefix*, approximate~2, /regular expressions/, NEAR/n, AND OR NOT in
 * capitals (NOT binds tightest, then NEAR, AND, OR; adjacent words are joined by AND; `-word` is NOT word,
 * `--word` is the word), parentheses, `Attribute: value` where the value is any of these, a comparison or a
 * range, `*` for every object, and options (`#case`), which apply within their parentheses.
 * docs/query-language.md has the grammar. Never fails: parts that cannot be understood are searched as words
 * or left out, with a note. A text of options alone matches every object; a text without a letter or digit
 * matches none.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { parseQuery } from 'garner/query';
 *
 * const { query, understood, notes } = parseQuery('Title: mooring (rope OR chain');
 * assert.equal(query.kind, 'and');
 * assert.equal(understood, 'Title: mooring AND (rope OR chain)');
 * assert.equal(notes.length, 1);
 */
export function parseQuery(text: string, context: ParseContext = {}): ParsedQuery {
  const notes = new Set<string>();
  let kept = text;
  if (text.length > queryBounds.length) {
    kept = cutText(text, queryBounds.length);
    notes.add(`only the first ${queryBounds.length} characters were searched`);
  }
  const all = lexQuery(kept, { notes, now: context.now, attributes: context.attributes });
  const scoped = withoutOptions(all);
  const options = { ...context.options, ...scoped.options };
  const isEmpty = scoped.lexemes.length === 0 && (all.length > 0 || kept.trim() === '');
  const found = isEmpty ? everything : (new Parser(scoped, notes).parse() ?? fallback(scoped.lexemes, notes));
  const compared = limitErrors(comparedAs(found, options), queryBounds.approximate, notes);
  const query = withTypedExclusions(compared, notes);
  return { query, options, understood: printedWith(query, options), notes: [...notes] };
}

/** A query printed in full, with the options that concern all of it. */
export function printedWith(query: QueryNode, options: QueryOptions): string {
  return [printOptions(options), printQuery(query)].filter((part) => part !== '').join(' ');
}

/** The result when no operand was found. */
function fallback(lexemes: ScopedLexemes['lexemes'], notes: Set<string>): QueryNode {
  const words: QueryNode[] = [];
  for (const lexeme of lexemes) {
    if (words.length < queryBounds.nodes - 1 && 'text' in lexeme && hasToken(lexeme.text))
      words.push(wordNode(lexeme.text));
  }
  if (words.length > 0) {
    notes.add('operators without anything to join were searched as words');
    return joined('and', words) as QueryNode;
  }
  notes.add('the query holds no letter or digit: nothing can match');
  return nothing;
}

function isNearOperand(node: QueryNode): node is NearOperand {
  switch (node.kind) {
    case 'word':
    case 'phrase':
    case 'prefix':
    case 'sequence':
      return true;
    case 'or':
      return node.operands.every(isNearOperand);
    default:
      return false;
  }
}

function joined(kind: 'and' | 'or', operands: readonly QueryNode[]): QueryNode | undefined {
  return operands.length > 1 ? { kind, operands } : operands[0];
}

class Parser {
  readonly #lexemes: ScopedLexemes['lexemes'];
  readonly #groups: ScopedLexemes['groups'];
  readonly #notes: Set<string>;
  #at = 0;
  #nodes = 0;

  constructor({ lexemes, groups }: ScopedLexemes, notes: Set<string>) {
    this.#lexemes = lexemes;
    this.#groups = groups;
    this.#notes = notes;
  }

  parse(): QueryNode | undefined {
    const parts: QueryNode[] = [];
    while (this.#at < this.#lexemes.length) {
      const part = this.#expression(0);
      if (part !== undefined) parts.push(part);
      if (this.#kind() === 'close') {
        this.#notes.add('a closing parenthesis has no partner and was left out');
        this.#at++;
      }
    }
    return joined('and', parts);
  }

  #kind(): ScopedLexemes['lexemes'][number]['kind'] | undefined {
    return this.#lexemes[this.#at]?.kind;
  }

  #ends(): boolean {
    const kind = this.#kind();
    return kind === undefined || kind === 'close';
  }

  /** Everything up to a closing parenthesis or the end. */
  #expression(depth: number): QueryNode | undefined {
    const alternatives: QueryNode[] = [];
    for (;;) {
      const alternative = this.#conjunction(depth);
      if (alternative !== undefined) alternatives.push(alternative);
      if (this.#kind() !== 'or') break;
      this.#at++;
      if (alternative === undefined || this.#ends()) this.#dangling('OR');
    }
    if (alternatives.length > 1 && !this.#room()) return alternatives[0];
    return joined('or', alternatives);
  }

  #conjunction(depth: number): QueryNode | undefined {
    const operands: QueryNode[] = [];
    while (!this.#ends() && this.#kind() !== 'or') {
      if (this.#kind() === 'and') {
        this.#at++;
        if (operands.length === 0 || this.#ends() || this.#isOperator()) this.#dangling('AND');
        continue;
      }
      if (this.#kind() === 'near') {
        this.#at++;
        this.#dangling('NEAR');
        continue;
      }
      operands.push(...this.#nearby(depth));
    }
    if (operands.length > 1 && !this.#room()) return operands[0];
    return joined('and', operands);
  }

  /** Operands joined by NEAR, each to the next, as operands of an AND. */
  #nearby(depth: number): QueryNode[] {
    let last = this.#unary(depth);
    const found = last === undefined ? [] : [last];
    for (let lexeme = this.#lexemes[this.#at]; lexeme?.kind === 'near'; lexeme = this.#lexemes[this.#at]) {
      this.#at++;
      if (this.#ends() || this.#isOperator()) {
        this.#dangling('NEAR');
        continue;
      }
      const next = this.#unary(depth);
      if (next === undefined) continue;
      const isAlone = found.at(-1) === last;
      const pair = last === undefined ? undefined : this.#pair(last, next, lexeme.distance, isAlone);
      if (pair !== undefined && isAlone) found.pop();
      found.push(pair ?? next);
      last = next;
    }
    return found;
  }

  /** `isFirst`: the left operand is in no other pair, where it would be counted twice. */
  #pair(left: QueryNode, right: QueryNode, distance: number, isFirst: boolean): QueryNode | undefined {
    if (!isNearOperand(left) || !isNearOperand(right)) {
      this.#notes.add('NEAR joins words, phrases, and groups of them joined by OR: AND was taken for it');
      return undefined;
    }
    const again = isFirst ? 0 : 2 * nearLeaves(left).length;
    return this.#room(1 + again) ? { kind: 'near', distance, operands: [left, right] } : undefined;
  }

  #isOperator(): boolean {
    const kind = this.#kind();
    return kind === 'or' || kind === 'and' || kind === 'near';
  }

  #unary(depth: number): QueryNode | undefined {
    const lexeme = this.#lexemes[this.#at++] as ScopedLexemes['lexemes'][number];
    switch (lexeme.kind) {
      case 'not': {
        if (this.#ends() || this.#isOperator()) return this.#dangling('NOT');
        if (depth >= queryBounds.depth) return this.#tooDeep();
        const operand = this.#unary(depth + 1);
        return operand !== undefined && this.#room() ? { kind: 'not', operand } : undefined;
      }
      case 'open':
        return this.#group(depth);
      case 'attribute':
        return this.#attribute(lexeme.name, depth);
      case 'words':
        return this.#leaf(lexeme.node, lexeme.text);
      case 'test':
        return this.#room(nodesIn(lexeme.node)) ? lexeme.node : undefined;
      case 'everything':
        return this.#room() ? { kind: 'all' } : undefined;
      default:
        return undefined;
    }
  }

  #group(depth: number): QueryNode | undefined {
    if (depth >= queryBounds.depth) return this.#tooDeep();
    const options = this.#groups.get(this.#at - 1);
    const inner = this.#expression(depth + 1);
    if (this.#kind() === 'close') this.#at++;
    else this.#notes.add('a parenthesis was not closed: it was taken to end with the query');
    return inner === undefined || options === undefined ? inner : comparedAs(inner, options);
  }

  #attribute(name: string, depth: number): QueryNode | undefined {
    const kind = this.#kind();
    if (kind !== 'words' && kind !== 'test' && kind !== 'open' && kind !== 'everything') {
      this.#notes.add(`no value follows "${name}:": it was searched as a word`);
      return this.#leaf(wordNode(name), name);
    }
    const operand = this.#unary(depth);
    return operand !== undefined && this.#room() ? { kind: 'attribute', name, operand } : undefined;
  }

  #leaf(node: QueryNode, text: string): QueryNode | undefined {
    if (!hasToken(text)) {
      if (text.trim() !== '') this.#notes.add(`"${text.trim()}" holds no letter or digit and was left out`);
      return undefined;
    }
    return this.#room() ? node : undefined;
  }

  #room(nodes = 1): boolean {
    if (this.#nodes + nodes <= queryBounds.nodes) {
      this.#nodes += nodes;
      return true;
    }
    this.#notes.add(`the query has more than ${queryBounds.nodes} parts: the rest was left out`);
    return false;
  }

  #dangling(operator: string): undefined {
    this.#notes.add(`${operator} has nothing to join and was left out`);
  }

  #tooDeep(): undefined {
    this.#notes.add(`the query is nested deeper than ${queryBounds.depth}: deeper parentheses were left out`);
  }
}

/** The query with errors for its first `max` words only: each is compared with every word of a text. */
function limitErrors(query: QueryNode, max: number, notes: Set<string>): QueryNode {
  let given = 0;
  return mapErrors(query, (leaf) => {
    if ((leaf.errors ?? 0) === 0) return leaf.errors;
    given += scanWords(leaf.kind === 'word' ? leaf.word : leaf.words.join(' '), () => false);
    if (given <= max) return leaf.errors;
    notes.add(`at most ${max} words may have errors: the others must be as they are`);
    return undefined;
  });
}
