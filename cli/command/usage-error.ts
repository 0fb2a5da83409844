import { nearest } from '../text/did-you-mean.ts';
import { type Verb, wordsOf } from './verb.ts';

/** A wrong command line, and the parser's complaint about it. */
export interface WrongLine {
  readonly said: string;
  readonly argv: readonly string[];
  readonly verbs: readonly Verb[];
  readonly known: ReadonlySet<string>;
  /** How the program is typed. */
  readonly typed: string;
}

/** The parser's complaint in our words, with what may have been meant and the command that shows help. */
export function usageProblem(line: WrongLine): { problem: string; help: string } {
  const { argv, verbs, typed } = line;
  const path = pathOf(verbs, argv);
  const help = `${[typed, ...path].join(' ')} --help`;
  const verb = verbs.find((one) => wordsOf(one).join(' ') === path.join(' '));
  const said = oneLine(line.said);
  const names = /^Unknown (?:argument|command)s?: (.+)$/.exec(said)?.[1]?.split(', ');
  if (verb === undefined) return { problem: unknownVerb(line, path, said), help };
  if (/^Not enough non-option arguments/.test(said)) {
    const missing = /<[^>]+>/.exec(verb.command)?.[0] ?? 'an argument';
    const dashed = takesMany(verb) ? argv.filter((word) => /^-./.test(word)) : [];
    // Where all are options, a word was forgotten, and none is meant as one.
    if (dashed.length > 0 && dashed.every((word) => isOption(word, line.known))) {
      const word = missing.replace(/[<>.]/g, '').toUpperCase();
      const given = argv.slice(path.length).map(quotedWord);
      return { problem: `${missing} is missing`, help: [typed, ...path, word, ...given].join(' ') };
    }
    if (dashed.length === 0) return { problem: `${missing} is missing`, help };
    return { problem: `${missing} is missing`, help: `${behindDashes(line, path, argv)}      or   ${help}` };
  }
  if (names === undefined) return { problem: said.charAt(0).toLowerCase() + said.slice(1), help };
  return unknownWords(line, verb, path, names, help);
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

function unknownVerb({ argv, verbs }: WrongLine, path: readonly string[], said: string): string {
  const word = argv[path.length];
  if (word === undefined || word.startsWith('-')) return said.charAt(0).toLowerCase() + said.slice(1);
  const below = verbs.filter((verb) => path.every((part, at) => wordsOf(verb)[at] === part));
  const next = below.map((verb) => wordsOf(verb)[path.length] ?? '');
  const near = nearest(word, path.length === 0 ? [...next, 'completion'] : next);
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

function unknownWords(
  line: WrongLine,
  verb: Verb,
  path: readonly string[],
  names: readonly string[],
  help: string,
): { problem: string; help: string } {
  const { argv, known } = line;
  const end = argv.indexOf('--');
  const words = argv.slice(path.length, end < 0 ? argv.length : end).filter((word) => isAmong(names, word));
  const options = words.filter((word) => word.startsWith('-')).map((word) => word.replace(/=.*$/s, ''));
  const shown = options.length > 0 ? options : words.length > 0 ? words : names;
  const problem = `unknown ${options.length > 0 ? 'option' : 'argument'}${shown.length > 1 ? 's' : ''} ${shown.join(', ')}`;
  const near = nearest(options[0]?.replace(/^-+/, '') ?? '', known);
  if (near !== undefined) return { problem, help: `--${near}      or   ${help}` };
  if (options.length > 0 && takesMany(verb))
    return { problem, help: `${behindDashes(line, path, argv)}      or   ${help}` };
  return { problem, help };
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

/** The same line with the words that begin with a dash after `--`, where they are arguments. */
function behindDashes({ typed, known }: WrongLine, path: readonly string[], argv: readonly string[]): string {
  const words = argv.slice(path.length).filter((word) => word !== '--');
  const quoted = words.filter((word) => !isOption(word, known)).map(quotedWord);
  return [typed, ...path, '--', ...quoted].join(' ');
}

const isOption = (word: string, known: ReadonlySet<string>) =>
  word.startsWith('--') && known.has(word.slice(2).replace(/=.*$/s, ''));

const quotedWord = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('; ');
}
