import { isOid } from '../../soif/index.ts';

// No word of a command line can hold it.
const mark = '\0';
// Before object ids that begin with a dash, which no option is as long as, and before `help` as an argument.
const oidMark = '\u0001';

/** The words before `--`. */
export function optionsIn(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

/**
 * The command line with each word after `--` marked, and without the `--`: the parser would take a word with
 * a dash, such as one object id in 64, for an option, and a last word `help` for the option of that name.
 */
export function markArguments(argv: readonly string[]): string[] {
  const before = optionsIn(argv);
  const isDashedOid = (word: string) => word.startsWith('-') && isOid(word);
  const own = before.map((word) => (isDashedOid(word) || word === 'help' ? oidMark + word : word));
  return [...own, ...argv.slice(before.length + 1).map((word) => mark + word)];
}

/**
 * The command line with `=` before values of options that begin with `no-`, which the parser would take for
 * the opposite, as it is without a value.
 */
export function bindNegated(argv: readonly string[], names: ReadonlySet<string>): string[] {
  const bound: string[] = [];
  const end = optionsIn(argv).length;
  for (let at = 0; at < argv.length; at += 1) {
    const [word = '', next] = [argv[at], argv[at + 1]];
    const takes = at + 1 < end && names.has(word.replace(/^--/, '')) && word.startsWith('--');
    if (!takes || next === undefined || next.startsWith('-')) bound.push(word);
    else {
      bound.push(`${word}=${next}`);
      at += 1;
    }
  }
  return bound;
}

/** Whether a value, or one of a list of them, is a marked word. */
export function isMarked(value: unknown): boolean {
  return [value].flat().some((one) => typeof one === 'string' && one.startsWith(mark));
}

/** A sentence of the parser, which quotes marked words, without the marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(mark, '').replaceAll(oidMark, '');
}

/** The parsed values without marks. */
export function withPlainArguments(
  parsed: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    return typeof value === 'string' ? withoutMarks(value) : value;
  };
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, plain(value)]));
}
