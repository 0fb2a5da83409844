import { attributeNamePattern, hasToken } from '../words/index.ts';
import { type QueryOptions, readOption } from './options.ts';
import { hasAge, isAge, rangeAt } from './range-text.ts';
import { RegexSizes, regexAt } from './regex-text.ts';
import { isTimeAttribute, timeSpanOf } from './time-span.ts';
import {
  maxErrors,
  maxNearDistance,
  type QueryNode,
  type RangeNode,
  usualNearDistance,
  type WordLeaf,
  type WordNode,
} from './tree.ts';
import { operatorForm, operatorNames, operatorNode, renamedOperators } from './web-operators.ts';
import { markOf, phraseOf, splitMark, type WordMark } from './word-marks.ts';

export type Lexeme =
  | { readonly kind: 'open' | 'close' | 'everything' }
  /** `text` is how it was written. */
  | { readonly kind: 'and' | 'or' | 'not'; readonly text: string }
  | { readonly kind: 'near'; readonly distance: number; readonly text: string }
  /** A word, phrase or prefix; `text` is its source. */
  | { readonly kind: 'words'; readonly node: WordLeaf; readonly text: string }
  /** A regular expression, a range, or what an operator such as `site:` means. */
  | { readonly kind: 'test'; readonly node: QueryNode }
  | { readonly kind: 'option'; readonly option: QueryOptions }
  | { readonly kind: 'attribute'; readonly name: string };

const blank = /\s/;
const isQuote = (character: string) => '"“”„‟«»＂'.includes(character);
const operators: ReadonlyMap<string, 'and' | 'or' | 'not' | 'everything'> = new Map([
  ['AND', 'and'],
  ['OR', 'or'],
  ['NOT', 'not'],
  ['*', 'everything'],
]);
const nearOperator = /^NEAR(?:\/(\d{1,9}))?$/;
const valueStart = /^[\p{L}\p{N}\p{M}_]/u;
// What may follow a name without a blank: a comparison, a range without a beginning, a regular expression.
const testStart = /^(?:[<>]=?["“”„‟«»＂\p{L}\p{N}]|\.\.[\p{L}\p{N}]|\/[^\s/][^\s]*\/$)/u;
const phraseMark = /~(?:\d{1,2}|best)?(?=[\s)]|$)|\*(?=[\s)]|$)/y;

const endsWord = (character: string) =>
  blank.test(character) || '()|'.includes(character) || isQuote(character);

/**
 * `Name:rest` as attribute and value, or undefined when it is a word. It is a word when the name does not
 * begin with a letter (`12:30`) or the value neither begins with a letter or digit (`http://x`,
 * `std::string`, `C:\x`) nor is a comparison, a range or a regular expression. Only the first colon counts:
 * `url:http://x` restricts `http://x` to the URL.
 */
export function splitAttribute(text: string): { name: string; rest: string } | undefined {
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  const name = text.slice(0, colon);
  const rest = text.slice(colon + 1);
  if (!attributeNamePattern.test(name)) return undefined;
  return rest === '' || valueStart.test(rest) || (name.length > 1 && testStart.test(rest))
    ? { name, rest }
    : undefined;
}

/** Whether query text reads a word back as the same word without quotes. */
export function isPlainWord(word: string): boolean {
  return (
    word !== '' &&
    !operators.has(word) &&
    !nearOperator.test(word) &&
    readOption(word, '1') === undefined &&
    !/^[<>=/]|\.\./.test(word) &&
    splitMark(word).mark === undefined &&
    ![...word].some(endsWord) &&
    (!word.startsWith('-') || word.startsWith('--')) &&
    splitAttribute(word) === undefined
  );
}

/** A word without quotes. One that reads as something else without them prints with them, so it is typed. */
export const wordNode = (word: string): WordNode => ({
  ...{ kind: 'word', word },
  ...(!isPlainWord(word) && { typed: true }),
});

/** The attributes that the searched objects have. */
export interface KnownAttributes {
  /** Whether an object has the attribute, or it is one of those that Garner writes; the name is in lower case. */
  has(name: string): boolean;
  /** Its name with the letters most like these, or undefined. */
  nearest(name: string): string | undefined;
}

/** More names of attributes are not compared with the known ones. */
const maxUnknown = 4;

export interface Reading {
  /** Without it every name before a colon is that of an attribute. */
  readonly attributes?: KnownAttributes | undefined;
  /** Receives a sentence for each part that was not understood. */
  readonly notes: Set<string>;
  /** Seconds since 1970, for ages; without it there are no ages. */
  readonly now: number | undefined;
}

/** Cut query text into lexemes. Never fails; linear in the text, except for the longest quoted bound. */
export function lexQuery(text: string, reading: Reading): Lexeme[] {
  return new Lexer(text, reading).lex();
}

class Lexer {
  readonly #text: string;
  readonly #reading: Reading;
  readonly #lexemes: Lexeme[] = [];
  readonly #lastQuote: number;
  /** For each open parenthesis: the attribute that its contents are a value of, if any. */
  readonly #inValue: (string | undefined)[] = [];
  /** Names before a colon that are not those of attributes. */
  readonly #unknown = new Set<string>();
  readonly #regexes = new RegexSizes();
  #at = 0;

  constructor(text: string, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
    let lastQuote = -1;
    for (let index = 0; index < text.length; index++) if (isQuote(text[index] as string)) lastQuote = index;
    this.#lastQuote = lastQuote;
  }

  lex(): Lexeme[] {
    while (this.#at < this.#text.length) this.#next();
    return this.#lexemes;
  }

  #next(): void {
    const character = this.#text[this.#at] as string;
    if (blank.test(character)) this.#at++;
    else if (character === '(') this.#parenthesis('open');
    else if (character === ')') this.#parenthesis('close');
    else if (character === '|') this.#bar();
    else if (!this.#test()) {
      if (isQuote(character)) this.#phrase();
      else if (this.#isMinus()) {
        this.#lexemes.push({ kind: 'not', text: '-' });
        this.#at++;
      } else this.#word();
    }
  }

  #parenthesis(kind: 'open' | 'close'): void {
    if (kind === 'open') this.#inValue.push(this.#valueOf());
    else this.#inValue.pop();
    this.#lexemes.push({ kind });
    this.#at++;
  }

  /** `|` and `||` are OR. */
  #bar(): void {
    this.#lexemes.push({ kind: 'or', text: '|' });
    while (this.#text[this.#at] === '|') this.#at++;
  }

  /** The attribute that the next lexeme is, or is part of, the value of. */
  #valueOf(): string | undefined {
    const last = this.#lexemes.at(-1);
    return last?.kind === 'attribute' ? last.name : this.#inValue.at(-1);
  }

  #isMinus(): boolean {
    const next = this.#text[this.#at + 1];
    return (
      this.#text[this.#at] === '-' && next !== undefined && next !== '-' && next !== ')' && !blank.test(next)
    );
  }

  /** A regular expression, or a range after an attribute. */
  #test(): boolean {
    const { notes, now } = this.#reading;
    const attribute = this.#valueOf();
    const isTime = attribute !== undefined && isTimeAttribute(attribute);
    const range =
      attribute === undefined
        ? undefined
        : (rangeAt(this.#text, this.#at, now) ?? (isTime ? this.#time(attribute) : undefined));
    if (range !== undefined) {
      if (hasAge(range.node)) notes.add('ages such as 30d are not understood here: write a date');
      else if (isTime) this.#checkTimes(attribute, range.node);
      this.#lexemes.push({ kind: 'test', node: range.node });
      this.#at = range.end;
      return true;
    }
    const regex = regexAt(this.#text, this.#at);
    if (regex === undefined) return false;
    const size = this.#regexes.add(regex.pattern);
    if (size === undefined) {
      notes.add('the regular expressions are too large together: of the last ones the words were searched');
      return false;
    }
    if (size.fault !== undefined) {
      notes.add(`${size.fault}; its words were searched`);
      return false;
    }
    this.#lexemes.push({ kind: 'test', node: { kind: 'regex', pattern: regex.pattern } });
    this.#at = regex.end;
    return true;
  }

  /** A plain date as the value of an attribute that holds times: within that day, month or year. */
  #time(attribute: string): { readonly node: RangeNode; readonly end: number } | undefined {
    const { value, end } = rawValue(this.#text, this.#at);
    if (timeSpanOf(value, true) !== undefined)
      return { node: { kind: 'range', from: { value }, to: { value } }, end };
    const isWord = hasToken(value) && !operators.has(value) && !/[*~/]/.test(value) && value !== 'NEAR';
    if (isWord && this.#text[this.#at] !== '-') this.#noTime(attribute, value);
    return undefined;
  }

  #checkTimes(attribute: string, { from, to }: RangeNode): void {
    for (const bound of [from, to])
      if (bound !== undefined && timeSpanOf(bound.value, true) === undefined && !isAge(bound.value))
        this.#noTime(attribute, bound.value);
  }

  #noTime(attribute: string, value: string): void {
    this.#reading.notes.add(
      `"${value}" is not a time: write ${attribute}: 2024-06-30, ${attribute}: 2024-01..2024-06, or ${attribute}: <7d for the last seven days`,
    );
  }

  #phrase(): void {
    const start = this.#at;
    if (start === this.#lastQuote) {
      this.#reading.notes.add('a quotation mark has no partner: what follows was searched as words');
      this.#at++;
      return;
    }
    let end = start + 1;
    while (!isQuote(this.#text[end] as string)) end++;
    const inner = this.#text.slice(start + 1, end);
    phraseMark.lastIndex = end + 1;
    const mark = hasToken(inner) ? (phraseMark.exec(this.#text)?.[0] ?? '') : '';
    const words = inner.split(/\s+/).filter((word) => word !== '');
    this.#lexemes.push({ kind: 'words', node: this.#run(words, mark), text: inner.trim() });
    this.#at = end + 1 + mark.length;
  }

  /** Adjacent words; a mark behind all of them applies to each without its own, a star to the last. */
  #run(words: readonly string[], mark: string): WordLeaf {
    const common = markOf(mark);
    const parts = words.map((word, index) => {
      const own = splitMark(word);
      const isLast = index === words.length - 1;
      const given = own.mark ?? (common === 'star' && !isLast ? undefined : common);
      const node = this.#marked(own.word, given);
      return node.kind === 'word' && node.errors === undefined ? ({ ...node, typed: true } as const) : node;
    });
    return phraseOf(parts);
  }

  #marked(word: string, mark: WordMark | undefined): ReturnType<typeof markedWord> {
    return markedWord(word, mark, this.#reading.notes);
  }

  #word(): void {
    const text = this.#text;
    let end = this.#at + 1;
    while (end < text.length && !endsWord(text[end] as string)) end++;
    const word = text.slice(this.#at, end);
    const start = this.#at;
    this.#at = end;
    const operator = operators.get(word);
    if (operator !== undefined) {
      this.#lexemes.push(operator === 'everything' ? { kind: operator } : { kind: operator, text: word });
      return;
    }
    if (this.#near(word) || this.#option(word)) return;
    const [prefix, operatorName] = /^([a-z]+):/i.exec(word) ?? [];
    if (operatorName !== undefined && this.#operator(operatorName, start + (prefix?.length ?? 0))) return;
    const split = splitAttribute(word);
    const name = split === undefined ? undefined : this.#attributeOf(split.name);
    if (split !== undefined && name !== undefined) {
      this.#lexemes.push({ kind: 'attribute', name });
      this.#at = start + split.name.length + 1;
      if (split.rest === '' || this.#test()) return;
      this.#at = end;
    }
    // The colon of a text such as `Error:` is no part of the word.
    const rest = name === undefined ? (split?.rest === '' ? split.name : word) : (split?.rest ?? word);
    const { word: own, mark } = splitMark(rest);
    const node = mark === undefined ? wildcard(own, this.#reading.notes) : undefined;
    const read = node ?? this.#marked(own, mark);
    const isPlain = node === undefined && read.kind === 'word' && read.errors === undefined;
    this.#lexemes.push({ kind: 'words', node: isPlain ? wordNode(own) : read, text: rest });
  }

  /** What `site:x` and the like mean elsewhere, where no object has an attribute of that name. */
  #operator(written: string, at: number): boolean {
    const { attributes, now, notes } = this.#reading;
    const name = written.toLowerCase();
    const { value, end } = rawValue(this.#text, at);
    const form = operatorForm(name, value, attributes?.has(name) === true);
    if (form === undefined) return false;
    const node = operatorNode(name, value, now);
    if (node === undefined) {
      if (hasToken(value)) notes.add(`"${value}" cannot be used with ${name}: write ${form}`);
      return false;
    }
    this.#lexemes.push({ kind: 'test', node });
    this.#at = end;
    return true;
  }

  /** The attribute that a name before a colon means; undefined, with a note, where no object has one of that name. */
  #attributeOf(written: string): string | undefined {
    const { attributes, notes } = this.#reading;
    const name = written.toLowerCase();
    if (attributes?.has(name) === true) return written;
    const meant = renamedOperators.get(name);
    if (meant !== undefined || attributes === undefined) return meant ?? written;
    if (!this.#unknown.has(name)) {
      this.#unknown.add(name);
      const near = this.#unknown.size > maxUnknown ? undefined : attributes.nearest(name);
      const hint = near ?? operatorNames.find((one) => `all${one}` === name);
      notes.add(
        `no object has an attribute "${written}": it was searched as text${hint === undefined ? '' : `; did you mean ${hint}?`}`,
      );
    }
    return undefined;
  }

  #near(word: string): boolean {
    const found = nearOperator.exec(word);
    if (found === null) return false;
    const distance = Number(found[1] ?? usualNearDistance);
    if (distance > maxNearDistance)
      this.#reading.notes.add(`NEAR reaches over at most ${maxNearDistance} words`);
    this.#lexemes.push({ kind: 'near', distance: Math.min(distance, maxNearDistance), text: word });
    return true;
  }

  #option(word: string): boolean {
    const next = /\s+([^\s()]+)/y;
    next.lastIndex = this.#at;
    const following = next.exec(this.#text);
    const read = readOption(word, following?.[1]);
    if (read === undefined) return false;
    if (read.lowered !== undefined) this.#reading.notes.add(`${word} was lowered to ${read.lowered}`);
    if (read.words === 2) this.#at = next.lastIndex;
    this.#lexemes.push({ kind: 'option', option: read.option });
    return true;
  }
}

/** A prefix needs two characters, or one of a script without spaces, whose tokens are pairs. */
const longEnough = (word: string) =>
  /[\p{L}\p{N}]{2}$|[^\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u.test(word);

/** A value up to a blank, a parenthesis or a bar, or between quotation marks, after any blanks. */
function rawValue(text: string, from: number): { readonly value: string; readonly end: number } {
  let at = from;
  while (at < text.length && blank.test(text[at] as string)) at++;
  const quoted = isQuote(text[at] ?? ' ');
  if (quoted) at++;
  let end = at;
  while (end < text.length && !(quoted ? isQuote(text[end] as string) : endsWord(text[end] as string))) end++;
  return { value: text.slice(at, end).trim(), end: quoted && end < text.length ? end + 1 : end };
}

const letters = /^[\p{L}\p{N}]+$/u;

/** `*ews` as a part of words; a note on `n?ws` and `n*s`, which have another form here. */
function wildcard(word: string, notes: Set<string>): WordLeaf | undefined {
  if (!/[*?]./u.test(word) || !letters.test(word.replace(/[*?]/g, ''))) return undefined;
  const ending = word.replace(/^\*+/, '');
  if (ending !== word && ending.length > 1 && letters.test(ending)) {
    notes.add(`"${word}" was searched as a part of words`);
    return { kind: 'word', word: ending, part: true };
  }
  const pattern = word.replaceAll('?', '\\w').replace(/\*+/g, '\\w*');
  notes.add(
    `"${word}": a * is understood at the end of a word only, and a ? nowhere; for unknown letters write /\\b${pattern}\\b/`,
  );
  return { kind: 'word', word };
}

function markedWord(word: string, mark: WordMark | undefined, notes: Set<string>) {
  if (word.includes('*')) notes.add('a * is understood at the end of a word only');
  if (mark === undefined) return { kind: 'word', word } as const;
  if (mark === 'star') {
    if (longEnough(word)) return { kind: 'prefix', prefix: word } as const;
    notes.add(`"${word}*" is too short to be the beginning of words: it was searched as a word`);
    return { kind: 'word', word } as const;
  }
  const { errors } = mark;
  if (errors === 'best' || errors <= maxErrors) return { kind: 'word', word, errors } as const;
  notes.add(`at most ${maxErrors} errors can be allowed`);
  return { kind: 'word', word, errors: maxErrors } as const;
}
