import { failure } from '../../kernel/index.ts';
import { pattern } from '../recognise/index.ts';
import { customiseErrors } from './errors.ts';
import { type RuleSubject, valuesOf } from './rule-subject.ts';

/** Whether a rule applies to a summary. */
export type Condition = (subject: RuleSubject) => boolean;

const maxDepth = 64;

type Token =
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'name' | 'text'; readonly text: string; readonly at: number }
  | { readonly kind: 'pattern'; readonly pattern: RegExp; readonly at: number };

const tokenPattern =
  /(?:(?<sign>&&|\|\||==|!=|!~|<=|>=|[!~<>()])|(?<name>[A-Za-z][\w.-]*)|'(?<single>(?:[^'\\]|\\.)*)'|"(?<double>(?:[^"\\]|\\.)*)"|(?<number>\d[\d.]*)|\/(?<pattern>(?:[^/\\]|\\.)+)\/(?<flags>[a-z]*))/y;

/**
 * Read a condition of a post-summarising rule (Harvest's, in its user's manual: `attr == 'str'`, `!=`, `~ /re/`, `!~`,
 * joined by `&&` and `||`), with parentheses, `!`, comparison of numbers, and a bare name for "is present". Names
 * ignore case; URL and Type are names too. One matching value of a multi-value is enough; `!=` and `!~` hold when none
 * matches. Throws RULE_CONDITION, RULE_PATTERN.
 */
export function parseCondition(text: string): Condition {
  return new ConditionParser(text).parse();
}

/** A comparison with a text in a condition: `Type == "HTML"`. */
export interface Comparison {
  readonly name: string;
  readonly sign: string;
  readonly text: string;
}

/** Every comparison with a text in a condition. Throws like `parseCondition`. */
export function comparisonsIn(text: string): readonly Comparison[] {
  const parser = new ConditionParser(text);
  parser.parse();
  return parser.comparisons;
}

class ConditionParser {
  readonly comparisons: Comparison[] = [];
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = this.#split();
  }

  parse(): Condition {
    const condition = this.#or();
    const rest = this.#tokens[this.#at];
    if (rest !== undefined) this.#expected('&&, || or the end', rest.at);
    return condition;
  }

  #split(): readonly Token[] {
    const tokens: Token[] = [];
    const end = this.#text.trimEnd().length;
    for (let at = this.#text.search(/\S/); at < end && at >= 0; ) {
      tokenPattern.lastIndex = at;
      const groups = tokenPattern.exec(this.#text)?.groups;
      if (groups === undefined) this.#expected('a name, a sign, a quoted text or a /pattern/', at);
      tokens.push(token(groups, at));
      at = tokenPattern.lastIndex;
      while (at < end && this.#text.charAt(at).trim() === '') at++;
    }
    return tokens;
  }

  #or(): Condition {
    const operands = [this.#and()];
    while (this.#sign('||')) operands.push(this.#and());
    return operands.length === 1
      ? (operands[0] as Condition)
      : (subject) => operands.some((operand) => operand(subject));
  }

  #and(): Condition {
    const operands = [this.#unary()];
    while (this.#sign('&&')) operands.push(this.#unary());
    return operands.length === 1
      ? (operands[0] as Condition)
      : (subject) => operands.every((operand) => operand(subject));
  }

  #unary(): Condition {
    if (++this.#depth > maxDepth) this.#expected(`at most ${maxDepth} levels`, this.#position());
    try {
      if (this.#sign('!')) {
        const operand = this.#unary();
        return (subject) => !operand(subject);
      }
      if (this.#sign('(')) {
        const inside = this.#or();
        if (!this.#sign(')')) this.#expected('a closing parenthesis', this.#position());
        return inside;
      }
      return this.#comparison();
    } finally {
      this.#depth--;
    }
  }

  #comparison(): Condition {
    const name = this.#tokens[this.#at++];
    if (name?.kind !== 'name') this.#expected('the name of an attribute', name?.at ?? this.#text.length);
    const sign = this.#tokens[this.#at];
    if (sign?.kind !== 'sign' || !/^(?:[=!]=|!?~|[<>]=?)$/.test(sign.text))
      return (subject) => valuesOf(subject, name.text).length > 0;
    this.#at++;
    const operand = this.#tokens[this.#at++];
    if (sign.text.endsWith('~')) {
      if (operand?.kind !== 'pattern') this.#expected('a /pattern/', operand?.at ?? this.#text.length);
      const found = operand.pattern;
      const wanted = sign.text === '~';
      return (subject) => valuesOf(subject, name.text).some((value) => found.test(value)) === wanted;
    }
    if (operand?.kind !== 'text')
      this.#expected('a quoted text or a number', operand?.at ?? this.#text.length);
    this.comparisons.push({ name: name.text, sign: sign.text, text: operand.text });
    const compare = comparisons[sign.text] as (value: string, operand: string) => boolean;
    const negated = sign.text === '!=';
    return (subject) =>
      valuesOf(subject, name.text).some((value) => compare(value, operand.text)) !== negated;
  }

  #sign(text: string): boolean {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'sign' || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #position(): number {
    return this.#tokens[this.#at]?.at ?? this.#text.length;
  }

  #expected(expected: string, at: number): never {
    throw failure(customiseErrors.RULE_CONDITION, { text: this.#text, at, expected });
  }
}

const equal = (value: string, operand: string) => value === operand;

const comparisons: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  '==': equal,
  '!=': equal,
  '<': (value, operand) => Number(value) < Number(operand),
  '<=': (value, operand) => Number(value) <= Number(operand),
  '>': (value, operand) => Number(value) > Number(operand),
  '>=': (value, operand) => Number(value) >= Number(operand),
};

function token(groups: Record<string, string | undefined>, at: number): Token {
  const { sign, name, single, double, number, pattern: source, flags } = groups;
  if (sign !== undefined) return { kind: 'sign', text: sign, at };
  if (name !== undefined) return { kind: 'name', text: name, at };
  if (source !== undefined) return { kind: 'pattern', pattern: pattern(source, flags), at };
  const quoted = single ?? double;
  return { kind: 'text', text: quoted?.replace(/\\(.)/gs, '$1') ?? (number as string), at };
}
