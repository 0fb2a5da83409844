/** How a summary uses a macro of a paper. */
export type PaperRole =
  | 'title'
  | 'author'
  | 'institution'
  | 'date'
  | 'abstract'
  | 'abstract-end'
  | 'heading'
  | 'heading-argument'
  | 'paragraph'
  | 'item'
  | 'words'
  | 'verbatim'
  | 'verbatim-end'
  | 'title-page'
  | 'running'
  | 'drop';

const words: Readonly<Record<PaperRole, string>> = {
  // ms and mm, mm's and the me package's own.
  title: 'TL',
  author: 'AU',
  institution: 'AI AF',
  date: 'DA ND',
  abstract: 'AB AS',
  'abstract-end': 'AE',
  // The heading is the text that follows.
  heading: 'NH SH +c',
  // The heading is an argument, after a level where there is one.
  'heading-argument': 'H HU sh uh $0 CHAPTER',
  paragraph:
    'PP LP P QP XP QS QE RS RE KS KF KE pp lp np ll hl DE LE LC AL BL DL VL ML RL BVL TE ' +
    '(q )q (l )l (b )b (z )z (c )c (d )d bp FS FE (f )f QUOTE',
  item: 'IP LI ip bu',
  // Arguments set in a font or box: words as any others.
  words: 'B I R BI BR IB IR RB RI CW UL BX SM LG NL b i r bi u q sm bx rb c tl bl TA QW',
  verbatim: 'DS ID LD BD CD P1 Vb EX',
  'verbatim-end': 'P2 Ve EE',
  'title-page': 'tp',
  // Running heads and feet, contents, registers of the page.
  running: 'he fo eh oh ef of EH OH EF OF PH PF LH CH RH LF CF RF',
  drop: 'XS XA XE PX (x )x xp ix RP 1C 2C MC TA PD AM TM OK AT SG CS S SK SA HC HM INITR VERBON',
};

/** The macros of ms, me and mm in a summary (groff_ms(7), groff_me(7), groff_mm(7)); pure data. */
export const paperMacros: ReadonlyMap<string, PaperRole> = new Map(
  Object.entries(words).flatMap(([role, names]) =>
    names.split(' ').map((name) => [name, role as PaperRole] as const),
  ),
);

/** Strings that the packages define: dashes, quotes, footnote marks; no accents. */
export const paperStrings: Readonly<Record<string, string>> = {
  '-': '—',
  Q: '“',
  U: '”',
  lq: '“',
  rq: '”',
  EM: '—',
  BU: '•',
  Tm: '™',
  R: '®',
  '*': '',
  "'": '',
  '`': '',
  '^': '',
  ',': '',
  ':': '',
  '~': '',
};
