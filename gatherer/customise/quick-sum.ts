import type { Field } from '../../readers/document/index.ts';
import { pattern } from '../recognise/index.ts';

/** One line of Harvest's quick-sum.cf: lines of a type that match give values of an attribute. */
export interface QuickSumRule {
  readonly type: string;
  readonly attribute: string;
  /** The first group is the value; the whole match if there is no group. */
  readonly pattern: string;
}

/** Max values of one attribute. */
const maxValues = 1000;

/** A longer line is cut here: patterns may be quadratic in a line. */
const maxLineLength = 4096;

/** Makes the fields that an operator's line patterns find in a text. */
export class QuickSum {
  readonly #rules: ReadonlyMap<string, readonly { readonly attribute: string; readonly found: RegExp }[]>;

  /** Throws RULE_PATTERN. */
  constructor(rules: readonly QuickSumRule[]) {
    const byType = new Map<string, { attribute: string; found: RegExp }[]>();
    for (const { type, attribute, pattern: source } of rules) {
      const known = byType.get(type.toLowerCase()) ?? [];
      known.push({ attribute, found: pattern(source) });
      byType.set(type.toLowerCase(), known);
    }
    this.#rules = byType;
  }

  /** Whether there are rules for a type. */
  has(type: string): boolean {
    return this.#rules.has(type.toLowerCase());
  }

  /** The fields found, one for each attribute, its values joined by line ends in the order of the text. */
  fields(type: string, text: string): readonly Field[] {
    const rules = this.#rules.get(type.toLowerCase()) ?? [];
    const values = new Map<string, string[]>(rules.map(({ attribute }) => [attribute, []]));
    for (const line of lines(text)) {
      for (const { attribute, found } of rules) {
        const list = values.get(attribute) as string[];
        const match = list.length < maxValues ? found.exec(line) : null;
        if (match !== null) list.push((match[1] ?? match[0]).trim());
      }
    }
    return [...values]
      .filter(([, list]) => list.length > 0)
      .map(([attribute, list]) => [attribute, list.join('\n')]);
  }
}

function* lines(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield text.slice(at, Math.min(end, at + maxLineLength)).replace(/\r$/, '');
    at = end + 1;
  }
}
