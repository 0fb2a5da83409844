/** Where a line comment may begin: anywhere, after white space or `;`, or at the start of a line. */
export type CommentPlace = 'anywhere' | 'word' | 'line';

/** How a language writes comments and strings: everything needed to separate them from code. */
export interface Lexis {
  readonly lineComments: readonly (readonly [mark: string, place: CommentPlace])[];
  /** `line`: it opens only at the first character of a line, as Perl's POD does. */
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
    /** The string may contain line ends. Without this, it ends with its line if nothing closes it before. */
    readonly lines?: boolean;
    /** A string that begins its line is documentation: always (`line`), or only at the start of a body. */
    readonly doc?: 'statement' | 'line';
  }[];
  /** Tokens that a table cannot describe, such as regular expressions, templates and here-documents. */
  readonly special?: readonly SpecialToken[];
}

/** JavaScript: `regex`, `template`. C++, Rust: `raw` strings. Rust: `character`. Shell: `here`-documents. */
export type SpecialToken = 'regex' | 'template' | 'raw' | 'character' | 'here';

const slashes = [['//', 'anywhere']] as const;
const hashWord = [['#', 'word']] as const;
const hashLine = [['#', 'line']] as const;
const slashStar = [{ open: '/*', close: '*/' }] as const;
const quoted = { open: '"', escape: 'backslash' } as const;
const single = { open: "'", escape: 'backslash' } as const;

/** Lexical families by name. Languages with the same comments and strings share a family. */
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
  percent: {
    lineComments: [
      ['%', 'word'],
      ['#', 'word'],
    ],
    blockComments: [{ open: '%{', close: '\n%}', place: 'line' }],
    strings: [quoted],
  },
  prolog: { lineComments: [['%', 'anywhere']], blockComments: slashStar, strings: [quoted, single] },
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
