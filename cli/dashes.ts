import type { Verb } from './verb.ts';

// No word of a command line can hold it.
const mark = '\0';

/** What stands before `--`. */
export function optionsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/**
 * The same command line with each word behind `--` marked, and without the `--`: the parser counts only what it takes
 * for an argument by its look when it asks whether one is missing.
 */
export function markArguments(argv: readonly string[]): string[] {
  const before = optionsIn(argv);
  return [...before, ...argv.slice(before.length + 1).map((word) => mark + word)];
}

/** Whether a value, or one of a list of them, is a marked word. */
export function isMarked(value: unknown): boolean {
  return [value].flat().some((one) => typeof one === 'string' && one.startsWith(mark));
}

/** A sentence of the parser's, which names words as it saw them. */
export function withoutMarks(text: string): string {
  return text.replaceAll(mark, '');
}

/** What was parsed, with a verb's arguments as they were typed. */
export function withPlainArguments(
  { positionals = {} }: Pick<Verb, 'positionals'>,
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    return typeof value === 'string' ? withoutMarks(value) : value;
  };
  const own = Object.keys(positionals).filter((name) => parsed[name] !== undefined);
  return { ...parsed, ...Object.fromEntries(own.map((name) => [name, plain(parsed[name])])) };
}
