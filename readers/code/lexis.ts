/** Where a comment that ends with its line may begin: anywhere, after white space, or first on its line. */
export type CommentPlace = 'anywhere' | 'word' | 'line';

/** How a language writes comments and strings: all that separating them from code needs. */
export interface Lexis {
  readonly lineComments: readonly (readonly [mark: string, place: CommentPlace])[];
  /** `line`: opens only first on its line, as Perl's POD does. */
  readonly blockComments: readonly {
    readonly open: string;
    readonly close: string;
    readonly nests?: boolean;
    readonly place?: 'line';
  }[];
  readonly strings: readonly {
    readonly open: string;
    readonly close?: string;
    readonly escape: 'backslash' | 'none';
    /** May hold line ends; other strings end with their line at the latest. */
    readonly lines?: boolean;
    /** A string that is first on its line is documentation, or only where a body begins with it. */
    readonly doc?: 'statement' | 'line';
  }[];
  /** Tokens that a table cannot describe, such as regular expressions, templates and here-documents. */
  readonly special?: readonly SpecialToken[];
}

/** `regex` and `template` of JavaScript, `raw` strings of C++ and Rust, `character` of Rust, `here` of the shell. */
export type SpecialToken = 'regex' | 'template' | 'raw' | 'character' | 'here';

const slashes = [['//', 'anywhere']] as const;
const hashWord = [['#', 'word']] as const;
const hashLine = [['#', 'line']] as const;
const slashStar = [{ open: '/*', close: '*/' }] as const;
const quoted = { open: '"', escape: 'backslash' } as const;
const single = { open: "'", escape: 'backslash' } as const;

/** Lexical families by name; languages with the same comments and strings share one. */
export const lexes = {
  c: { lineComments: slashes, blockComments: slashStar, strings: [quoted, single], special: ['raw'] },
  java: {
    lineComments: slashes,
    blockComments: slashStar,
    strings: [{ open: '"""', close: '"""', escape: 'backslash', lines: true }, quoted, single],
  },
  javascript: {
    lineComments: slashes,
    blockComments: slashStar,
    strings: [quoted, single],
    special: ['regex', 'template'],
  },
  go: {
    lineComments: slashes,
    blockComments: slashStar,
    strings: [quoted, single, { open: '`', escape: 'none', lines: true }],
  },
  rust: {
    lineComments: slashes,
    blockComments: [{ open: '/*', close: '*/', nests: true }],
    strings: [{ open: '"', escape: 'backslash', lines: true }],
    special: ['raw', 'character'],
  },
  php: {
    lineComments: [
      ['//', 'word'],
      ['#', 'word'],
    ],
    blockComments: slashStar,
    strings: [quoted, single],
  },
  css: { lineComments: [['//', 'line']], blockComments: slashStar, strings: [quoted, single] },
  python: {
    lineComments: [['#', 'anywhere']],
    blockComments: [],
    strings: [
      { open: '"""', escape: 'backslash', lines: true, doc: 'statement' },
      { open: "'''", escape: 'backslash', lines: true, doc: 'statement' },
      { ...quoted, doc: 'statement' },
      { ...single, doc: 'statement' },
    ],
  },
  perl: {
    lineComments: hashWord,
    blockComments: [{ open: '=', close: '\n=cut', place: 'line' }],
    strings: [quoted, single],
  },
  shell: {
    lineComments: hashWord,
    blockComments: [],
    strings: [
      { ...quoted, lines: true },
      { open: "'", escape: 'none', lines: true },
    ],
    special: ['here'],
  },
  ruby: {
    lineComments: hashWord,
    blockComments: [{ open: '=begin', close: '\n=end', place: 'line' }],
    strings: [quoted, single],
  },
  hash: { lineComments: hashWord, blockComments: [], strings: [quoted, single] },
  tcl: { lineComments: hashLine, blockComments: [], strings: [] },
  lisp: {
    lineComments: [[';', 'anywhere']],
    blockComments: [{ open: '#|', close: '|#', nests: true }],
    strings: [{ open: '"', escape: 'backslash', lines: true, doc: 'line' }],
  },
  sql: {
    lineComments: [['--', 'anywhere']],
    blockComments: slashStar,
    strings: [{ open: "'", escape: 'none', lines: true }],
  },
  fortran: {
    lineComments: [
      ['!', 'anywhere'],
      ['*', 'line'],
    ],
    blockComments: [],
    strings: [
      { open: '"', escape: 'none' },
      { open: "'", escape: 'none' },
    ],
  },
  dashes: {
    lineComments: [['--', 'anywhere']],
    blockComments: [
      { open: '{-', close: '-}', nests: true },
      { open: '--[[', close: ']]' },
    ],
    strings: [quoted],
  },
  parentheses: {
    lineComments: slashes,
    blockComments: [{ open: '(*', close: '*)', nests: true }],
    strings: [quoted],
  },
  assembly: {
    lineComments: [
      ['#', 'word'],
      [';', 'word'],
      ['//', 'word'],
      ['@', 'word'],
    ],
    blockComments: slashStar,
    strings: [quoted],
  },
} as const satisfies Record<string, Lexis>;

/** A lexical family's name. */
export type LexisName = keyof typeof lexes;
