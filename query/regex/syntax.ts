import { failure } from '../../kernel/index.ts';
import { queryErrors } from '../errors.ts';
import { type CharSet, charSet, complement, lastCodePoint, union } from './char-set.ts';
import { digitClass, foldCase, lineBreaks, spaceClass, wordClass } from './unicode-classes.ts';

/** How large a regular expression may be: UTF-16 units, nested groups, states after repetitions are written out. */
export const regexBounds = { length: 256, depth: 32, states: 1024 } as const;

export type Assertion = 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

export type RegexTree =
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** One after the other; an empty list is the empty text. */
  | { readonly kind: 'concat'; readonly parts: readonly RegexTree[] }
  | { readonly kind: 'either'; readonly parts: readonly RegexTree[] }
  | { readonly kind: 'repeat'; readonly part: RegexTree; readonly min: number; readonly max: number };

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };
const classes: Readonly<Record<string, () => CharSet>> = {
  d: () => digitClass,
  D: () => complement(digitClass),
  w: wordClass,
  W: () => complement(wordClass()),
  s: () => spaceClass,
  S: () => complement(spaceClass),
};
const assertions: Readonly<Record<string, Assertion>> = { b: 'wordEdge', B: 'noWordEdge' };
const counted = /\{(\d{1,4})(?:(,)(\d{1,4})?)?\}/y;
const hex = /x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}/y;

/** Read a regular expression. Throws QUERY_REGEX when it is malformed, not supported, or too large. */
export function parseRegex(pattern: string, caseMatters: boolean): RegexTree {
  return new RegexParser(pattern, caseMatters).parse();
}

class RegexParser {
  readonly #text: string;
  readonly #caseMatters: boolean;
  #at = 0;

  constructor(text: string, caseMatters: boolean) {
    this.#text = text;
    this.#caseMatters = caseMatters;
  }

  parse(): RegexTree {
    if (this.#text.length > regexBounds.length)
      throw this.#fault(`it is longer than ${regexBounds.length} characters`);
    if (this.#text === '') throw this.#fault('it is empty');
    const tree = this.#either(0);
    if (this.#at < this.#text.length) throw this.#fault('a ) has no ( before it');
    return tree;
  }

  #fault(reason: string) {
    return failure(queryErrors.QUERY_REGEX, { pattern: this.#text.slice(0, regexBounds.length), reason });
  }

  #next(): string | undefined {
    return this.#text[this.#at];
  }

  #either(depth: number): RegexTree {
    if (depth > regexBounds.depth)
      throw this.#fault(`its groups are nested deeper than ${regexBounds.depth}`);
    const parts = [this.#concat(depth)];
    while (this.#next() === '|') {
      this.#at++;
      parts.push(this.#concat(depth));
    }
    return parts.length === 1 ? (parts[0] as RegexTree) : { kind: 'either', parts };
  }

  #concat(depth: number): RegexTree {
    const parts: RegexTree[] = [];
    for (let next = this.#next(); next !== undefined && next !== '|' && next !== ')'; next = this.#next())
      parts.push(this.#repeated(depth));
    return parts.length === 1 ? (parts[0] as RegexTree) : { kind: 'concat', parts };
  }

  #repeated(depth: number): RegexTree {
    const part = this.#atom(depth);
    const times = this.#times();
    if (times === undefined) return part;
    if (part.kind === 'assertion') throw this.#fault('a place between characters cannot be repeated');
    // Whether a repetition is greedy makes no difference to what matches.
    if (this.#next() === '?') this.#at++;
    if (this.#times() !== undefined) throw this.#fault('a repetition is repeated');
    return { kind: 'repeat', part, ...times };
  }

  #times(): { min: number; max: number } | undefined {
    const next = this.#next();
    if (next === '*' || next === '+' || next === '?') {
      this.#at++;
      return { min: next === '+' ? 1 : 0, max: next === '?' ? 1 : Number.POSITIVE_INFINITY };
    }
    if (next !== '{') return undefined;
    counted.lastIndex = this.#at;
    const found = counted.exec(this.#text);
    if (found === null) throw this.#fault('a { begins no repetition such as {2} or {2,5}: write \\{');
    this.#at = counted.lastIndex;
    const min = Number(found[1]);
    const max =
      found[2] === undefined ? min : found[3] === undefined ? Number.POSITIVE_INFINITY : Number(found[3]);
    if (max < min) throw this.#fault(`the repetition ${found[0]} ends before it begins`);
    return { min, max };
  }

  #atom(depth: number): RegexTree {
    const character = this.#character();
    switch (character) {
      case '(':
        return this.#group(depth);
      case '[':
        return this.#set(this.#bracket());
      case '.':
        return { kind: 'set', set: complement(lineBreaks) };
      case '^':
        return { kind: 'assertion', assertion: 'lineStart' };
      case '$':
        return { kind: 'assertion', assertion: 'lineEnd' };
      case '\\':
        return this.#escaped();
      case '*':
      case '+':
      case '?':
        throw this.#fault(`there is nothing that ${character} could repeat`);
      case '{':
        throw this.#fault('there is nothing that { could repeat: write \\{');
      default:
        return this.#set(charOf(character.codePointAt(0) as number));
    }
  }

  #character(): string {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) as number);
    this.#at += character.length;
    return character;
  }

  #set(set: CharSet): RegexTree {
    return { kind: 'set', set: this.#caseMatters ? set : foldCase(set) };
  }

  #group(depth: number): RegexTree {
    if (this.#next() === '?') {
      if (!this.#text.startsWith('?:', this.#at))
        throw this.#fault('looking ahead or behind, names and flags in groups are not supported');
      this.#at += 2;
    }
    const inner = this.#either(depth + 1);
    if (this.#next() !== ')') throw this.#fault('a ( is not closed');
    this.#at++;
    return inner;
  }

  #escaped(): RegexTree {
    const next = this.#next();
    const assertion = next === undefined ? undefined : assertions[next];
    if (assertion !== undefined) {
      this.#at++;
      return { kind: 'assertion', assertion };
    }
    return this.#set(this.#escape());
  }

  /** The set for the character or class after a backslash. */
  #escape(): CharSet {
    const next = this.#next();
    if (next === undefined) throw this.#fault('it ends with a backslash');
    hex.lastIndex = this.#at;
    const found = hex.exec(this.#text);
    if (found !== null) {
      this.#at = hex.lastIndex;
      const code = Number.parseInt((found[1] ?? found[2] ?? found[3]) as string, 16);
      if (code > lastCodePoint) throw this.#fault(`there is no character \\${found[0]}`);
      return charOf(code);
    }
    const character = this.#character();
    const named = classes[character];
    if (named !== undefined) return named();
    const control = controls[character];
    if (control !== undefined) return charOf(control);
    if (/[1-9k]/.test(character)) throw this.#fault('a reference to a group is not supported');
    if (/[A-Za-z]/.test(character)) throw this.#fault(`\\${character} is not supported`);
    return charOf(character.codePointAt(0) as number);
  }

  /** The set between brackets, from behind the opening one. A `]` at the beginning is a literal. */
  #bracket(): CharSet {
    const negated = this.#next() === '^';
    if (negated) this.#at++;
    const sets: CharSet[] = [];
    for (let first = true; first || this.#next() !== ']'; first = false) {
      if (this.#at >= this.#text.length) throw this.#fault('a [ is not closed');
      const low = this.#member();
      if (this.#next() !== '-' || this.#text[this.#at + 1] === ']' || this.#at + 1 >= this.#text.length) {
        sets.push(low);
        continue;
      }
      this.#at++;
      sets.push(this.#range(low, this.#member()));
    }
    this.#at++;
    const set = union(...sets);
    if (!negated) return set;
    return complement(this.#caseMatters ? set : foldCase(set));
  }

  #member(): CharSet {
    const character = this.#character();
    return character === '\\' ? this.#escape() : charOf(character.codePointAt(0) as number);
  }

  #range(low: CharSet, high: CharSet): CharSet {
    const [from, to] = [low[0] as number, high[0] as number];
    if (low[1] !== from || high[1] !== to || low.length > 2 || high.length > 2)
      throw this.#fault('a range in [ ] goes from one character to another');
    if (to < from) throw this.#fault('a range in [ ] ends before it begins');
    return charSet([[from, to]]);
  }
}

const charOf = (code: number): CharSet => charSet([[code, code]]);
