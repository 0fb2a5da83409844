import { isGarnerError } from '../../kernel/index.ts';
import { Regex, regexBounds } from '../regex/index.ts';

/** A regular expression found in query text, and the offset behind it. */
export interface FoundRegex {
  readonly pattern: string;
  readonly end: number;
}

export interface RegexSize {
  readonly states: number;
  /** Why it cannot be searched for. */
  readonly fault?: string;
}

/** Max expressions of one query: each is compiled when it is read. */
export const maxExpressions = 32;

/**
 * The regular expression that begins at `at`, between slashes: neither a blank nor a slash follows the first,
 * and the next slash without a backslash ends a word. `\/` is a slash.
 */
export function regexAt(text: string, at: number): FoundRegex | undefined {
  if (text[at] !== '/' || !/[^\s/]/.test(text[at + 1] ?? '/')) return undefined;
  let pattern = '';
  let end = at + 1;
  for (; end < text.length && text[end] !== '/'; end++) {
    if (end - at > 2 * regexBounds.length) return undefined;
    const isPair = text[end] === '\\' && end + 1 < text.length;
    const piece = isPair ? text.slice(end, end + 2) : (text[end] as string);
    if (isPair) end++;
    pattern += piece === '\\/' ? '/' : piece;
  }
  if (end >= text.length || /[^\s)]/.test(text[end + 1] ?? ' ')) return undefined;
  return { pattern, end: end + 1 };
}

/** Sizes of the expressions of one query, each compiled once. */
export class RegexSizes {
  readonly #known = new Map<string, RegexSize>();
  #states = 0;

  /** The size of one more expression; undefined when there are too many or they are too large together. */
  add(pattern: string): RegexSize | undefined {
    const known = this.#known.get(pattern);
    if (known === undefined && this.#known.size >= maxExpressions) return undefined;
    // Expressions that were too large before are rejected at once.
    if (this.#states > regexBounds.states) return undefined;
    const size = known ?? sizeOf(pattern);
    this.#known.set(pattern, size);
    this.#states += size.states;
    return this.#states > regexBounds.states ? undefined : size;
  }
}

function sizeOf(pattern: string): RegexSize {
  try {
    return { states: new Regex(pattern).states };
  } catch (error) {
    if (isGarnerError(error)) return { states: 0, fault: error.message };
    throw error;
  }
}
