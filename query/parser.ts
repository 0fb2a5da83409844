import { cutText, scanWords } from './analysis.ts';
import { type Lexeme, lexQuery } from './lexer.ts';
import { printQuery } from './printer.ts';
import type { QueryNode } from './tree.ts';

/** How large a query may be: UTF-16 units of text, nodes of the tree, nesting. What is over is left out, with a note. */
export const queryBounds = { length: 4096, nodes: 256, depth: 32 } as const;

/** What a query text means. */
export interface ParsedQuery {
  readonly query: QueryNode;
  /** The query printed back in full. */
  readonly understood: string;
  /** One sentence for each thing that was not taken as written. */
  readonly notes: readonly string[];
}

const nothing: QueryNode = { kind: 'not', operand: { kind: 'all' } };

/**
 * Read a query: words, "phrases", AND OR NOT in capitals (NOT binds tightest, then AND, then OR; words side by
 * side are joined by AND; `-word` is NOT word, `--word` is the word), parentheses, `Attribute: value` where the
 * value is a word, a phrase or an expression in parentheses, `*` for every object. Never fails: what cannot be
 * understood is searched as words or left out, and a note says so. An empty text is every object; a text without
 * any letter or digit is none.
 */
export function parseQuery(text: string): ParsedQuery {
  const notes = new Set<string>();
  let kept = text;
  if (text.length > queryBounds.length) {
    kept = cutText(text, queryBounds.length);
    notes.add(`only the first ${queryBounds.length} characters were searched`);
  }
  const query = new Parser(lexQuery(kept, notes), notes).parse() ?? fallback(kept, notes);
  return { query, understood: printQuery(query), notes: [...notes] };
}

/** What is left when no operand was found. */
function fallback(text: string, notes: Set<string>): QueryNode {
  if (text.trim() === '') return { kind: 'all' };
  const words: QueryNode[] = [];
  for (const word of text.split(/[\s()"“”„‟«»＂]+/)) {
    if (words.length < queryBounds.nodes - 1 && hasToken(word)) words.push({ kind: 'word', word });
  }
  if (words.length > 0) {
    notes.add('operators without anything to join were searched as words');
    return joined('and', words) as QueryNode;
  }
  notes.add('the query holds no letter or digit: nothing can match');
  return nothing;
}

function hasToken(text: string): boolean {
  return scanWords(text, () => true) > 0;
}

function joined(kind: 'and' | 'or', operands: readonly QueryNode[]): QueryNode | undefined {
  return operands.length > 1 ? { kind, operands } : operands[0];
}

class Parser {
  readonly #lexemes: readonly Lexeme[];
  readonly #notes: Set<string>;
  #at = 0;
  #nodes = 0;

  constructor(lexemes: readonly Lexeme[], notes: Set<string>) {
    this.#lexemes = lexemes;
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

  #kind(): Lexeme['kind'] | undefined {
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
        if (operands.length === 0 || this.#ends() || this.#kind() === 'or' || this.#kind() === 'and')
          this.#dangling('AND');
        continue;
      }
      const operand = this.#unary(depth);
      if (operand !== undefined) operands.push(operand);
    }
    if (operands.length > 1 && !this.#room()) return operands[0];
    return joined('and', operands);
  }

  #unary(depth: number): QueryNode | undefined {
    const lexeme = this.#lexemes[this.#at++] as Lexeme;
    switch (lexeme.kind) {
      case 'not': {
        const kind = this.#kind();
        if (this.#ends() || kind === 'or' || kind === 'and') return this.#dangling('NOT');
        if (depth >= queryBounds.depth) return this.#tooDeep();
        const operand = this.#unary(depth + 1);
        return operand !== undefined && this.#room() ? { kind: 'not', operand } : undefined;
      }
      case 'open':
        return this.#group(depth);
      case 'attribute':
        return this.#attribute(lexeme.name, depth);
      case 'word':
      case 'phrase':
        return this.#leaf(lexeme.text);
      case 'everything':
        return this.#room() ? { kind: 'all' } : undefined;
      default:
        return undefined;
    }
  }

  #group(depth: number): QueryNode | undefined {
    if (depth >= queryBounds.depth) return this.#tooDeep();
    const inner = this.#expression(depth + 1);
    if (this.#kind() === 'close') this.#at++;
    else this.#notes.add('a parenthesis was not closed: it was taken to end with the query');
    return inner;
  }

  #attribute(name: string, depth: number): QueryNode | undefined {
    const kind = this.#kind();
    if (kind !== 'word' && kind !== 'phrase' && kind !== 'open' && kind !== 'everything') {
      this.#notes.add(`no value follows "${name}:": it was searched as a word`);
      return this.#leaf(name);
    }
    const operand = this.#unary(depth);
    return operand !== undefined && this.#room() ? { kind: 'attribute', name, operand } : undefined;
  }

  /** Quoted text of one word is that word. */
  #leaf(text: string): QueryNode | undefined {
    if (!hasToken(text)) {
      if (text.trim() !== '') this.#notes.add(`"${text.trim()}" holds no letter or digit and was left out`);
      return undefined;
    }
    if (!this.#room()) return undefined;
    const words = text.trim().split(/\s+/);
    return words.length === 1 ? { kind: 'word', word: words[0] as string } : { kind: 'phrase', words };
  }

  #room(): boolean {
    if (this.#nodes < queryBounds.nodes) {
      this.#nodes++;
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
