import type { ClassicFlags } from './classic-message.ts';

// The query grammar of the original (its manual, 5.8) and of its users:
//   EXPRESSION ::= PART { (and | or | except) PART }, without precedence: from left to right
//   PART ::= [not] CLAUSE | [not] ( EXPRESSION )
//   CLAUSE ::= ID | ID SELECT-OP ID | ID : ID | "ID=ID"     SELECT-OP ::= exact | regexp | less-than | greater-than
// It is translated into Garner's query language, whose parser bounds it and never fails.

type Lexeme =
  | { readonly kind: 'open' | 'close' | 'colon' }
  | { readonly kind: 'word'; readonly text: string; readonly isQuoted: boolean };

/** Max nesting. Deeper parentheses are ignored. */
const maxDepth = 32;

const selects = ['exact', 'regexp', 'less-than', 'greater-than'] as const;
type Select = (typeof selects)[number];

const isSelect = (text: string): text is Select => (selects as readonly string[]).includes(text);

type Flags = Pick<ClassicFlags, 'isCaseSensitive' | 'wholeWords' | 'errors'>;

/** Translate a query of the original's grammar. `#ALLB` or an empty query means every object. */
export function classicQuery(text: string, flags: Flags): string {
  return readClassicQuery(text, flags).query;
}

/** The same, with the reason why the query cannot be used as written, if any. */
export function readClassicQuery(
  text: string,
  { isCaseSensitive, wholeWords, errors }: Flags,
): { readonly query: string; readonly problem: string | undefined } {
  if (/^\s*(?:#allb\s*)?$/i.test(text)) return { query: '*', problem: undefined };
  const reader = new Reader(lex(text));
  const query = reader.all();
  const options = [
    isCaseSensitive ? '#case ' : '',
    wholeWords ? '' : '#part ',
    errors === 0 ? '' : `#errors ${errors} `,
  ];
  if (query === '') return { query: quoted(text), problem: 'it is empty' };
  const isOpen = (text.replace(/\\./g, '').match(/"/g)?.length ?? 0) % 2 === 1;
  const problem = isOpen ? 'a quotation mark is not closed' : reader.problem;
  return { query: `${options.join('')}${query}`, problem };
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

type Operator = 'AND' | 'OR' | 'AND NOT';

/** The text read so far and its outermost operator; none for a single part. */
interface Read {
  readonly text: string;
  readonly joint: 'AND' | 'OR' | undefined;
}

const nothing: Read = { text: '', joint: undefined };
const single = (text: string): Read => ({ text, joint: undefined });
const grouped = ({ text, joint }: Read): string => (joint === undefined ? text : `(${text})`);

/** Join two parts from left to right. Garner's AND binds before OR, so most joins need no parentheses. */
function joined(left: Read, operator: Operator, right: Read): Read {
  if (right.text === '') return left;
  if (left.text === '') return right;
  const joint = operator === 'OR' ? 'OR' : 'AND';
  const before = left.joint === 'OR' && joint === 'AND' ? grouped(left) : left.text;
  // A run of one operator is associative.
  const behind = operator === 'AND NOT' || (right.joint ?? joint) !== joint ? grouped(right) : right.text;
  return { text: `${before} ${operator} ${behind}`, joint };
}

class Reader {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;
  /** The first reason why the query cannot be used as written. */
  problem: string | undefined;

  constructor(lexemes: readonly Lexeme[]) {
    this.#lexemes = lexemes;
  }

  /** Read everything, even past parentheses without a partner. */
  all(): string {
    let whole = nothing;
    while (this.#at < this.#lexemes.length) {
      whole = joined(whole, 'AND', this.#expression(0));
      if (this.#lexemes[this.#at]?.kind !== 'close') continue;
      this.problem ??= 'a parenthesis has no partner';
      this.#at++;
    }
    return whole.text;
  }

  /** The bare word at `ahead` in lower case, or undefined. */
  #word(ahead = 0): string | undefined {
    const lexeme = this.#lexemes[this.#at + ahead];
    return lexeme?.kind === 'word' && !lexeme.isQuoted ? lexeme.text.toLowerCase() : undefined;
  }

  #expression(depth: number): Read {
    let left = nothing;
    for (;;) {
      const lexeme = this.#lexemes[this.#at];
      if (lexeme === undefined || lexeme.kind === 'close') return left;
      let operator: Operator = 'AND';
      const word = this.#word();
      const isJoined = left.text !== '' && (word === 'and' || word === 'or' || word === 'except');
      if (isJoined) {
        this.#at++;
        operator = word === 'and' ? 'AND' : word === 'or' ? 'OR' : 'AND NOT';
      }
      const before = this.#at;
      const right = this.#part(depth);
      if (isJoined && right.text === '') this.problem ??= `nothing follows ${word}`;
      left = joined(left, operator, right);
      if (this.#at !== before) continue;
      // Skip an unreadable sign, so that the loop ends.
      if (this.#lexemes[this.#at] !== undefined) this.problem ??= 'a word is missing before a sign';
      this.#at++;
    }
  }

  #part(depth: number): Read {
    let isNot = false;
    while (this.#word() === 'not' && this.#lexemes[this.#at + 1] !== undefined) {
      this.#at++;
      isNot = !isNot;
    }
    const operand = this.#lexemes[this.#at]?.kind === 'open' ? this.#group(depth) : single(this.#clause());
    return isNot && operand.text !== '' ? single(`(NOT ${grouped(operand)})`) : operand;
  }

  #group(depth: number): Read {
    this.#at++;
    if (depth >= maxDepth) this.problem ??= `it is nested deeper than ${maxDepth}`;
    const inner = depth < maxDepth ? this.#expression(depth + 1) : nothing;
    if (inner.text === '') this.problem ??= 'a pair of parentheses is empty';
    if (this.#lexemes[this.#at]?.kind === 'close') this.#at++;
    else this.problem ??= 'a parenthesis has no partner';
    return inner;
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
    // The form of clients of the time: "title=harbour".
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

/** Text without operators. */
const quoted = (text: string): string => `"${text.replace(/["“”„‟«»＂*~]+/g, ' ').trim()}"`;
