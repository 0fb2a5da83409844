/** How an inline macro of mdoc sets its words. */
export interface MdocMacro {
  /** Set before each word, such as the minus of a flag. */
  readonly prefix?: string;
  /** The text without arguments. */
  readonly alone?: string;
  /** Brackets around all that follows on the line. */
  readonly around?: readonly [open: string, close: string];
  /** Opens or closes a bracket that reaches over lines. */
  readonly opens?: string;
  readonly closes?: string;
}

const plain = 'No Em Sy Li Cm Ic Va Vt Ev Dv Er Ms Ad Cd Lb Tn Fa Ft St Fr Ot Ta Xo Xc Bk Ek Fd Ek Dx'.split(
  ' ',
);
const citations = '%A %B %C %D %I %J %N %O %P %Q %R %T %U %V'.split(' ');

const particular: Readonly<Record<string, MdocMacro>> = {
  Fl: { prefix: '-', alone: '-' },
  Ar: { alone: 'file ...' },
  Pa: { alone: '~' },
  Op: { around: ['[', ']'] },
  Pq: { around: ['(', ')'] },
  Bq: { around: ['[', ']'] },
  Brq: { around: ['{', '}'] },
  Aq: { around: ['<', '>'] },
  Dq: { around: ['“', '”'] },
  Qq: { around: ['"', '"'] },
  Sq: { around: ['‘', '’'] },
  Ql: { around: ['‘', '’'] },
  In: { around: ['#include <', '>'] },
  Oo: { opens: '[' },
  Oc: { closes: ']' },
  Po: { opens: '(' },
  Pc: { closes: ')' },
  Bo: { opens: '[' },
  Bc: { closes: ']' },
  Bro: { opens: '{' },
  Brc: { closes: '}' },
  Ao: { opens: '<' },
  Ac: { closes: '>' },
  Do: { opens: '“' },
  Dc: { closes: '”' },
  Qo: { opens: '"' },
  Qc: { closes: '"' },
  So: { opens: '‘' },
  Sc: { closes: '’' },
  Ux: { alone: 'UNIX' },
  At: { alone: 'AT&T UNIX' },
  Bx: { alone: 'BSD' },
  Bsx: { alone: 'BSD/OS' },
  Nx: { alone: 'NetBSD' },
  Fx: { alone: 'FreeBSD' },
  Ox: { alone: 'OpenBSD' },
};

/** The macros of mdoc that may be within a line, by name (mdoc(7)); pure data. */
export const mdocMacros: ReadonlyMap<string, MdocMacro> = new Map([
  ...[...plain, ...citations].map((name) => [name, {}] as const),
  ...Object.entries(particular),
]);

/** Words joined as mdoc joins them: closing punctuation, brackets and `Ns` leave no space. */
export class MdocWords {
  #text = '';
  #glued = true;

  put(word: string): void {
    if (word === '') return;
    const closing = /^(?:[.,:;)\]?!]|\.\.\.)$/.test(word) && word !== '...';
    this.#text += this.#glued || closing ? word : ` ${word}`;
    this.#glued = word === '(' || word === '[';
  }

  /** The next word follows without a space. */
  glue(): void {
    this.#glued = true;
  }

  open(bracket: string): void {
    this.put(bracket);
    this.#glued = true;
  }

  close(bracket: string): void {
    this.#text += bracket;
    this.#glued = false;
  }

  get text(): string {
    return this.#text;
  }
}
