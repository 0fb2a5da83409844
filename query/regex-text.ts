import { isGarnerError } from '../kernel/index.ts';
import { Regex, regexBounds } from './regex/index.ts';

/** A regular expression found in query text, and where the text goes on behind it. */
export interface FoundRegex {
  readonly pattern: string;
  readonly end: number;
  /** How many states it takes. */
  readonly states: number;
  /** Why it cannot be searched for. */
  readonly fault?: string;
}

/**
 * The regular expression that begins at `at`, between slashes: neither a blank nor a slash stands behind the first,
 * and the next one that has no backslash before it ends a word. `\/` is a slash.
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
  return { pattern, end: end + 1, ...sizeOf(pattern) };
}

function sizeOf(pattern: string): Pick<FoundRegex, 'states' | 'fault'> {
  try {
    return { states: new Regex(pattern).states };
  } catch (error) {
    if (isGarnerError(error)) return { states: 0, fault: error.message };
    throw error;
  }
}
