import type { ClassicFlags } from './classic-message.ts';

// The query grammar of the original (its manual, 5.8) and of its users:
//   EXPRESSION ::= PART { (and | or | except) PART }, without precedence: from left to right
//   PART ::= [not] CLAUSE | [not] ( EXPRESSION )
//   CLAUSE ::= ID | ID SELECT-OP ID | ID : ID | "ID=ID"     SELECT-OP ::= exact | regexp | less-than | greater-than
// It is turned into text of our own query language, whose parser bounds it and searches for anything it can.

type Lexeme =
  | { readonly kind: 'open' | 'close' | 'colon' }
  | { readonly kind: 'word'; readonly text: string; readonly isQuoted: boolean };

/** Nesting that is followed; deeper parentheses are read as if they were not there. */
const mostDepth = 32;

const selects = ['exact', 'regexp', 'less-than', 'greater-than'] as const;
type Select = (typeof selects)[number];

const isSelect = (text: string): text is Select => (selects as readonly string[]).includes(text);

/** A query of the original's grammar as one of ours. `#ALLB`, or nothing at all, is every object. */
export function classicQuery(
  text: string,
  flags: Pick<ClassicFlags, 'isCaseSensitive' | 'wholeWords' | 'errors'>,
): string {
  if (/^\s*(?:#allb\s*)?$/i.test(text)) return '*';
  const query = new Reader(lex(text)).all();
  const { isCaseSensitive, wholeWords, errors } = flags;
  const options = [
    isCaseSensitive ? '#case ' : '',
    wholeWords ? '' : '#part ',
    errors === 0 ? '' : `#errors ${errors} `,
  ];
  return query === '' ? quoted(text) : `${options.join('')}${query}`;
}

function lex(text: string): Lexeme[] {
  const lexemes: Lexeme[] = [];
  for (const [found, inner] of text.matchAll(/"((?:[^"\\]|\\.)*)"?|[()]|:|[^\s():"]+(?::[^\s():"]+)*/g)) {
    if (found === '(') lexemes.push({ kind: 'open' });
    else if (found === ')') lexemes.push({ kind: 'close' });
    else if (found === ':') lexemes.push({ kind: 'colon' });
    else
      lexemes.push({
        kind: 'word',
        text: (inner ?? found).replace(/\\(.)/g, '$1'),
        isQuoted: inner !== undefined,
      });
  }
  return lexemes;
}

class Reader {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  /** Everything, whatever parentheses have no partner. */
  all(): string {
    const parts: string[] = [];
    while (this.#at < this.#lexemes.length) {
      const part = this.#expression(0);
      if (part !== '') parts.push(part);
      if (this.#lexemes[this.#at]?.kind === 'close') this.#at++;
    }
    return parts.length > 1 ? parts.map((part) => `(${part})`).join(' AND ') : (parts[0] ?? '');
  }

  /** A bare word at `ahead` in small letters, or undefined. */
  #word(ahead = 0): string | undefined {
    const lexeme = this.#lexemes[this.#at + ahead];
    return lexeme?.kind === 'word' && !lexeme.isQuoted ? lexeme.text.toLowerCase() : undefined;
  }

  #expression(depth: number): string {
    let left = '';
    for (;;) {
      const lexeme = this.#lexemes[this.#at];
      if (lexeme === undefined || lexeme.kind === 'close') return left;
      let operator = 'AND';
      const word = this.#word();
      if (left !== '' && (word === 'and' || word === 'or' || word === 'except')) {
        this.#at++;
        operator = word === 'and' ? 'AND' : word === 'or' ? 'OR' : 'AND NOT';
      }
      const before = this.#at;
      const right = this.#part(depth);
      if (right !== '') left = left === '' ? right : `(${left} ${operator} ${right})`;
      // Whatever cannot be read is stepped over, so that this ends.
      if (this.#at === before) this.#at++;
    }
  }

  #part(depth: number): string {
    let isNot = false;
    while (this.#word() === 'not' && this.#lexemes[this.#at + 1] !== undefined) {
      this.#at++;
      isNot = !isNot;
    }
    const operand = this.#lexemes[this.#at]?.kind === 'open' ? this.#group(depth) : this.#clause();
    return isNot && operand !== '' ? `(NOT ${operand})` : operand;
  }

  #group(depth: number): string {
    this.#at++;
    const inner = depth < mostDepth ? this.#expression(depth + 1) : '';
    if (this.#lexemes[this.#at]?.kind === 'close') this.#at++;
    return inner === '' ? '' : `(${inner})`;
  }

  #clause(): string {
    const first = this.#lexemes[this.#at];
    if (first?.kind !== 'word') return '';
    this.#at++;
    const next = this.#lexemes[this.#at];
    const select = next?.kind === 'colon' ? 'exact' : this.#word();
    const value = this.#lexemes[this.#at + 1];
    if (select !== undefined && isSelect(select) && value?.kind === 'word' && attributeName(first.text)) {
      this.#at += 2;
      return selected(first.text, select, value.text);
    }
    // As clients of its time have it: "title=harbour".
    const [, name = '', wanted = ''] = /^([\w-]+)=([\s\S]+)$/.exec(first.text) ?? [];
    return attributeName(name) ? selected(name, 'exact', wanted) : quoted(first.text);
  }
}

const attributeName = (text: string): boolean => /^[A-Za-z][\w-]{0,127}$/.test(text);

function selected(name: string, select: Select, value: string): string {
  if (select === 'regexp')
    return `(${name}: /${value.replace(/\\.|\//g, (found) => (found === '/' ? '\\/' : found))}/)`;
  if (select === 'exact') return `(${name}: ${quoted(value)})`;
  return `(${name}: ${select === 'less-than' ? '<' : '>'}${/^[\w.:-]+$/.test(value) ? value : quoted(value)})`;
}

/** Text in which nothing is an operator. */
const quoted = (text: string): string => `"${text.replace(/["“”„‟«»＂*~]+/g, ' ').trim()}"`;
