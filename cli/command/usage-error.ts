import { nearest } from '../../kernel/index.ts';
import { type Verb, wordsOf } from './verb.ts';

/** A wrong command line, and the parser's complaint about it. */
export interface WrongLine {
  readonly said: string;
  readonly argv: readonly string[];
  readonly verbs: readonly Verb[];
  /** The options of the verb, and whether each takes a value. */
  readonly known: ReadonlyMap<string, boolean>;
  /** How the program is typed. */
  readonly typed: string;
}

/** The parser's complaint in our words, with what may have been meant and the command that shows help. */
export function usageProblem(line: WrongLine): { problem: string; help: string } {
  const { verbs, typed } = line;
  const { words, options } = sorted(line);
  const path = pathOf(verbs, words);
  const rest = words.slice(path.length);
  const help = `${[typed, ...path].join(' ')} --help`;
  const verb = verbs.find((one) => wordsOf(one).join(' ') === path.join(' '));
  const said = oneLine(line.said);
  const names = /^Unknown (?:argument|command)s?: (.+)$/.exec(said)?.[1]?.split(', ');
  if (verb === undefined) return { problem: unknownVerb(verbs, path, rest[0], said), help };
  if (/^Not enough non-option arguments/.test(said)) {
    const needed = verb.command.match(/<[^>]+>/g) ?? [];
    const missing = needed[rest.length] ?? needed.at(-1) ?? 'an argument';
    const problem = `${missing} is missing`;
    if (takesMany(verb) && rest.length > 0)
      return { problem, help: `${behindDashes(typed, path, options, rest)}      or   ${help}` };
    // A word was forgotten before or behind the options.
    const word = missing.replace(/[<>.]/g, '').toUpperCase();
    const whole = [typed, ...path, ...rest.map(quotedWord), word, ...options.map(quotedWord)].join(' ');
    return { problem, help: options.length === 0 ? help : whole };
  }
  if (names === undefined) return { problem: said.charAt(0).toLowerCase() + said.slice(1), help };
  const unknown = unknownWords(rest, names);
  const { problem, option } = unknown;
  const near = nearest(
    option?.replace(/^-+/, '') ?? '',
    [...line.known.keys()].filter((name) => name.length > 1),
  );
  if (option !== undefined && near !== undefined) return { problem, help: `--${near}      or   ${help}` };
  if (option !== undefined && takesMany(verb))
    return { problem, help: `${behindDashes(typed, path, options, rest)}      or   ${help}` };
  return { problem, help };
}

/** `garner gatherer` of `garner gatherer srve --x`: the words that are known. */
function pathOf(verbs: readonly Verb[], argv: readonly string[]): string[] {
  const known: string[] = [];
  for (const word of argv) {
    const longer = [...known, word];
    if (!verbs.some((verb) => longer.every((part, at) => wordsOf(verb)[at] === part))) break;
    known.push(word);
  }
  return known;
}

/** `garner help broker search` as `garner broker search --help`, and `garner broker help` as well. */
export function withHelp(verbs: readonly Verb[], argv: readonly string[]): readonly string[] {
  const [first, ...rest] = argv;
  if (first === 'help') {
    const asked = rest.filter((word) => word !== '--help' && word !== '-h');
    const path = pathOf(verbs, asked);
    // An unknown verb is reported as it is everywhere.
    return asked.some((word, at) => !word.startsWith('-') && path[at] !== word)
      ? asked
      : [...asked, '--help'];
  }
  const path = pathOf(verbs, argv);
  const verb = verbs.find((one) => wordsOf(one).join(' ') === path.join(' '));
  const takesWords = verb !== undefined && verb.command !== path.join(' ');
  if (path.length === 0 || takesWords || argv[path.length] !== 'help') return argv;
  return [...path, ...argv.slice(path.length + 1), '--help'];
}

/** The words of a command line, and its known options with their values. */
function sorted({ argv, known }: WrongLine): { readonly words: string[]; readonly options: string[] } {
  const [words, options]: [string[], string[]] = [[], []];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] as string;
    if (word === '--') {
      words.push(...argv.slice(at + 1));
      break;
    }
    const [, name = '', value] = /^--?([^=]+)(=.*)?$/s.exec(word) ?? [];
    const takes = known.get(name) ?? (known.get(name.replace(/^no-/, '')) === false ? false : undefined);
    if (takes === undefined) words.push(word);
    else options.push(...argv.slice(at, takes && value === undefined ? ++at + 1 : at + 1));
  }
  return { words, options };
}

function unknownVerb(
  verbs: readonly Verb[],
  path: readonly string[],
  word: string | undefined,
  said: string,
): string {
  if (word === undefined || word.startsWith('-')) return said.charAt(0).toLowerCase() + said.slice(1);
  const below = verbs.filter((verb) => path.every((part, at) => wordsOf(verb)[at] === part));
  const next = below.map((verb) => wordsOf(verb)[path.length] ?? '');
  const near = nearest(word, next);
  // `garner serve` and `garner searhes`: the last word of a verb of some group.
  const lasts = below.filter((verb) => wordsOf(verb).length > path.length + 1);
  const lastOf = (verb: Verb) => wordsOf(verb).at(-1) ?? '';
  const endingWith = (last: string) =>
    lasts.filter((verb) => lastOf(verb) === last).map((verb) => wordsOf(verb).join(' '));
  const within = endingWith(word);
  const nearLast = near === undefined ? nearest(word, lasts.map(lastOf)) : undefined;
  const meant =
    within.length > 0
      ? within
      : near !== undefined
        ? [near]
        : path.length === 0 && /[/.:]/.test(word) && next.includes('up')
          ? [`up ${word}`]
          : nearLast !== undefined
            ? endingWith(nearLast)
            : [];
  return `unknown verb ${word}${meant.length === 0 ? '' : `; did you mean ${meant.join(' or ')}?`}`;
}

/** What the parser does not know among the words, and the first unknown option. */
function unknownWords(
  given: readonly string[],
  names: readonly string[],
): { readonly problem: string; readonly option: string | undefined } {
  const words = given.filter((word) => isAmong(names, word));
  const options = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/s, ''));
  const shown = options.length > 0 ? options : words.length > 0 ? words : names;
  const kind = options.length > 0 ? 'option' : 'argument';
  const [option] = options;
  return { problem: `unknown ${kind}${shown.length > 1 ? 's' : ''} ${shown.join(', ')}`, option };
}

/** Whether the parser's names mean this word; it takes `-bar` for the letters b, a and r. */
function isAmong(names: readonly string[], word: string): boolean {
  if (!word.startsWith('-')) return names.includes(word);
  const name = word.replace(/^--?/, '').replace(/=.*$/s, '');
  if (names.includes(name) || names.includes(name.replace(/^no-/, ''))) return true;
  return /^-[^-]/.test(word) && [...name].some((letter) => names.includes(letter));
}

function takesMany(verb: Verb): boolean {
  return verb.command.includes('..');
}

/** The same line with its options first and its words after `--`, where they are arguments. */
function behindDashes(
  typed: string,
  path: readonly string[],
  options: readonly string[],
  words: readonly string[],
): string {
  return [typed, ...path, ...options.map(quotedWord), '--', ...words.map(quotedWord)].join(' ');
}

const quotedWord = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');
}
