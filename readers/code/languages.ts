import { languageNameOf } from './ambiguous-names.ts';
import type { PatternsName } from './definition-patterns.ts';
import type { LexisName } from './lexis.ts';

/** A programming language: its names and extensions, its comments, and its definitions. */
export interface Language {
  readonly name: string;
  /** In lower case, without the dot. */
  readonly extensions: readonly string[];
  /** Interpreters of a `#!` line. */
  readonly interpreters: readonly string[];
  /** Type names of Garner that mean this language, independent of the document's name. */
  readonly types: readonly string[];
  readonly lexis: LexisName;
  /** `blocks`: by statements and braces, as C and Java need; else patterns for single lines. */
  readonly definitions: PatternsName | 'blocks';
}

function language(
  name: string,
  lexis: LexisName,
  definitions: Language['definitions'],
  extensions: string,
  interpreters = '',
  types = '',
): Language {
  const words = (text: string) => text.split(' ').filter(Boolean);
  return {
    name,
    lexis,
    definitions,
    extensions: words(extensions),
    interpreters: words(interpreters),
    types: words(types),
  };
}

/** Every language with known comments and definitions. Pure data. */
export const languages: readonly Language[] = [
  language('C', 'c', 'blocks', 'c', 'tcc', 'C'),
  language('C header', 'c', 'blocks', 'h', '', 'CHeader'),
  language('C++', 'c', 'blocks', 'cc cpp cxx c++ hh hpp hxx h++ ipp tcc inl'),
  language('C#', 'c', 'blocks', 'cs'),
  language('Objective-C', 'c', 'blocks', 'm mm', '', 'objc'),
  language('MATLAB', 'percent', 'matlab', 'mlx', 'octave octave-cli matlab', 'octave'),
  language('Mercury', 'prolog', 'prolog', '', 'mercury'),
  language('Mathematica', 'parentheses', 'plain', 'wl wls', 'wolframscript wolfram math'),
  language('Java', 'java', 'blocks', 'java', 'java', 'Java'),
  language('JavaScript', 'javascript', 'ecma', 'js mjs cjs jsx', 'node nodejs bun', 'JavaScript'),
  language('TypeScript', 'javascript', 'ecma', 'ts mts cts tsx', 'deno ts-node tsx', 'TypeScript'),
  language('CSS', 'css', 'css', 'css scss less', '', 'CSS'),
  language('Go', 'go', 'go', 'go', 'go', 'Go'),
  language('Rust', 'rust', 'rust', 'rs', 'rust-script cargo', 'Rust'),
  language('Python', 'python', 'python', 'py pyi pyw', 'python python2 python3 pypy pypy3 uv', 'Python'),
  language('Perl', 'perl', 'perl', 'pl pm pod t', 'perl', 'Perl cperl'),
  language('Prolog', 'prolog', 'prolog', 'prolog plt', 'swipl prolog gprolog yap scryer-prolog', 'Prolog'),
  language(
    'Shell',
    'shell',
    'shell',
    'sh bash ksh zsh dash',
    'sh bash dash ksh zsh ash busybox',
    'ShellScript shell-script',
  ),
  language('C shell', 'hash', 'plain', 'csh tcsh', 'csh tcsh'),
  language('Tcl', 'tcl', 'tcl', 'tcl tk tm exp itcl', 'tclsh wish expect', 'Tcl'),
  language('Awk', 'hash', 'awk', 'awk', 'awk gawk mawk nawk', 'Awk'),
  language('sed', 'hash', 'plain', 'sed', 'sed'),
  language('Ruby', 'ruby', 'ruby', 'rb rake gemspec', 'ruby', 'Ruby'),
  language('PHP', 'php', 'php', 'php phtml php3 inc', 'php', 'PHP'),
  language(
    'Lisp',
    'lisp',
    'lisp',
    'lisp lsp cl el clj cljs',
    'sbcl emacs clisp bb',
    'emacs-lisp common-lisp',
  ),
  language('Scheme', 'lisp', 'lisp', 'scm ss rkt sld', 'guile racket'),
  language('SQL', 'sql', 'sql', 'sql ddl', '', 'SQL'),
  language('Fortran', 'fortran', 'fortran', 'f for ftn f77 f90 f95 f03 f08'),
  language('Kotlin', 'java', 'swift', 'kt kts', 'kotlin'),
  language('Scala', 'java', 'swift', 'scala sc groovy gradle', 'scala groovy scala-cli'),
  language('Swift', 'java', 'swift', 'swift', 'swift'),
  language('Haskell', 'dashes', 'haskell', 'hs', 'runhaskell runghc stack cabal'),
  language('Lua', 'dashes', 'haskell', 'lua', 'lua luajit'),
  language('Ada', 'dashes', 'haskell', 'adb ads'),
  language('VHDL', 'dashes', 'haskell', 'vhd vhdl'),
  language('OCaml', 'parentheses', 'ocaml', 'ml mli sml fs', 'ocaml utop', 'tuareg'),
  language('Pascal', 'parentheses', 'ocaml', 'pas pp dpr'),
  language('R', 'hash', 'r', 'r', 'rscript'),
  language('Assembly', 'assembly', 'assembly', 's asm nasm'),
];

/** Defaults for an unknown language: comments after `#` or `//`, no definitions. */
export const plainCode: Language = language('', 'php', 'plain', '');

const byName = indexBy((entry) => [entry.name.toLowerCase()]);
const byExtension = indexBy((entry) => entry.extensions);
const byInterpreter = indexBy((entry) => entry.interpreters);
const byType = indexBy((entry) => entry.types);

function indexBy(keys: (entry: Language) => readonly string[]): ReadonlyMap<string, Language> {
  return new Map(languages.flatMap((entry) => keys(entry).map((key) => [key, entry] as const)));
}

/** The language of a file name's extension. */
export function languageOfName(name: string): Language | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}

/** The language of a program whose extension several languages have; undefined when its text does not show it. */
export function ambiguousLanguage(name: string, text: string): Language | undefined {
  const extension = /\.(\w{1,4})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const found = languageNameOf(extension, text);
  return found === undefined ? undefined : byName.get(found.toLowerCase());
}

const hashBang = /^#![ \t]*([^\r\n]{1,500})/;
const nixShell = /^#![ \t]*nix-shell\b.{0,300}?[ \t]-i[ \t]+(\S{1,80})/m;
/** Programs that run the program that their first argument names. */
const starters = new Set(['bunx', 'bundle', 'busybox', 'nice', 'npx', 'pipenv', 'pipx', 'poetry', 'sudo']);
const baseName = (path: string) => path.replace(/^["']|["']$/g, '').replace(/^.*\//, '');

/**
 * The interpreter of a `#!` line without its folder. `env` is passed over with its options (`-S`, `-u NAME`) and
 * variables, and so are programs such as `npx` that start another.
 */
export function interpreterOf(text: string): string | undefined {
  const words = hashBang
    .exec(text)?.[1]
    ?.trim()
    .split(/[ \t]+/);
  if (words === undefined) return undefined;
  const first = baseName(words[0] as string);
  const name = first === 'env' ? startedByEnv(words.slice(1)) : first;
  if (name === 'nix-shell') return nixShell.exec(text)?.[1] ?? name;
  if (name === undefined || !starters.has(name)) return name;
  const after = words.slice(words.findIndex((word) => baseName(word) === name) + 1);
  const started = after.find((word) => !word.startsWith('-') && word !== 'run' && word !== 'exec');
  return started === undefined ? name : baseName(started);
}

function startedByEnv(words: readonly string[]): string | undefined {
  for (let at = 0; at < words.length; at++) {
    // The rest of the word after -S belongs to the command: -S"python3 -u", --split-string=python3.
    const word = (words[at] as string).replace(/^(?:-\w*S|--split-string=?)/, '').replace(/^["']/, '');
    if (/^(?:-[uC]|--unset|--chdir)$/.test(word)) at++;
    else if (word !== '' && !word.startsWith('-') && !/^\w+=/.test(word)) return baseName(word);
  }
  return undefined;
}

/** The language of an interpreter, whatever its version. */
export function languageOfInterpreter(interpreter: string): Language | undefined {
  const name = interpreter.toLowerCase();
  return byInterpreter.get(name) ?? byInterpreter.get(name.replace(/[-\d.]+$/, ''));
}

const emacsMode = /-\*-[ \t]*(?:[^\n]{0,100}?\bmode:[ \t]*)?([\w+#-]{1,30})[ \t]*(?:;[^\n]{0,200}?)?-\*-/i;
const vimMode = /\b(?:vim?|ex):[^\n]{0,100}?\b(?:ft|filetype|syntax)=(\w{1,20})/;

/** The language that a line for Emacs or vim names, among the first two lines of a text. */
export function editorLanguage(text: string): Language | undefined {
  const lines = text.slice(0, 1000).split('\n', 2).join('\n');
  const mode = (emacsMode.exec(lines) ?? vimMode.exec(lines))?.[1]?.toLowerCase();
  return mode === undefined ? undefined : (byName.get(mode) ?? byExtension.get(mode) ?? byType.get(mode));
}

/** A document's language: by its name, or bytes where several languages have its extension, by the interpreter of its first line, by its type. */
export function languageOf(
  document: { readonly name: string; readonly type: string },
  text: string,
): Language {
  const typed = byType.get(document.type);
  const spoken = languageOfInterpreter(interpreterOf(text) ?? '') ?? editorLanguage(text);
  if (spoken !== undefined && spoken === typed) return spoken;
  const name = document.name.replace(/\.in$/, '');
  const named = ambiguousLanguage(name, text) ?? languageOfName(name);
  // A shell may only start the interpreter of the rest.
  return named ?? (spoken?.name === 'Shell' ? typed : undefined) ?? spoken ?? typed ?? plainCode;
}
