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
  language('Objective-C', 'c', 'blocks', 'm mm'),
  language('Java', 'java', 'blocks', 'java', '', 'Java'),
  language('JavaScript', 'javascript', 'ecma', 'js mjs cjs jsx', 'node nodejs bun', 'JavaScript'),
  language('TypeScript', 'javascript', 'ecma', 'ts mts cts tsx', 'deno ts-node tsx', 'TypeScript'),
  language('CSS', 'css', 'css', 'css scss less', '', 'CSS'),
  language('Go', 'go', 'go', 'go', '', 'Go'),
  language('Rust', 'rust', 'rust', 'rs', '', 'Rust'),
  language('Python', 'python', 'python', 'py pyi pyw', 'python python2 python3 pypy pypy3', 'Python'),
  language('Perl', 'perl', 'perl', 'pl pm pod t', 'perl', 'Perl'),
  language(
    'Shell',
    'shell',
    'shell',
    'sh bash ksh zsh dash',
    'sh bash dash ksh zsh ash busybox',
    'ShellScript',
  ),
  language('C shell', 'hash', 'plain', 'csh tcsh', 'csh tcsh'),
  language('Tcl', 'tcl', 'tcl', 'tcl tk tm exp itcl', 'tclsh wish expect', 'Tcl'),
  language('Awk', 'hash', 'awk', 'awk', 'awk gawk mawk nawk', 'Awk'),
  language('sed', 'hash', 'plain', 'sed', 'sed'),
  language('Ruby', 'ruby', 'ruby', 'rb rake gemspec', 'ruby', 'Ruby'),
  language('PHP', 'php', 'php', 'php phtml php3 inc', 'php', 'PHP'),
  language('Lisp', 'lisp', 'lisp', 'lisp lsp cl el clj cljs', 'sbcl emacs clisp'),
  language('Scheme', 'lisp', 'lisp', 'scm ss rkt sld', 'guile racket'),
  language('SQL', 'sql', 'sql', 'sql ddl', '', 'SQL'),
  language('Fortran', 'fortran', 'fortran', 'f for ftn f77 f90 f95 f03 f08'),
  language('Kotlin', 'java', 'swift', 'kt kts'),
  language('Scala', 'java', 'swift', 'scala sc groovy gradle'),
  language('Swift', 'java', 'swift', 'swift'),
  language('Haskell', 'dashes', 'haskell', 'hs'),
  language('Lua', 'dashes', 'haskell', 'lua', 'lua luajit'),
  language('Ada', 'dashes', 'haskell', 'adb ads'),
  language('VHDL', 'dashes', 'haskell', 'vhd vhdl'),
  language('OCaml', 'parentheses', 'ocaml', 'ml mli sml fs'),
  language('Pascal', 'parentheses', 'ocaml', 'pas pp dpr'),
  language('R', 'hash', 'r', 'r', 'rscript'),
  language('Assembly', 'assembly', 'assembly', 's asm nasm'),
];

/** Defaults for an unknown language: comments after `#` or `//`, no definitions. */
export const plainCode: Language = language('', 'php', 'plain', '');

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

const hashBang = /^#![ \t]*(\S{1,200})(?:[ \t]+(\S{1,200}))?(?:[ \t]+(\S{1,200}))?/;

/** The interpreter of a `#!` line without its folder; for `env` its argument. */
export function interpreterOf(text: string): string | undefined {
  const line = hashBang.exec(text);
  if (line === null) return undefined;
  const [first = '', second = '', third = ''] = line.slice(1).map((word) => word?.split('/').at(-1) ?? '');
  if (first !== 'env') return first;
  return second.startsWith('-') ? third : second;
}

/** A document's language: by its name, by the interpreter of its first line, by its type. */
export function languageOf(
  document: { readonly name: string; readonly type: string },
  text: string,
): Language {
  const interpreter = interpreterOf(text)?.toLowerCase() ?? '';
  const spoken = byInterpreter.get(interpreter) ?? byInterpreter.get(interpreter.replace(/[-\d.]+$/, ''));
  const named = languageOfName(document.name.replace(/\.in$/, ''));
  return named ?? spoken ?? byType.get(document.type) ?? plainCode;
}
