/** Letters that TeX and Texinfo name alike. */
export const texLetters: Readonly<Record<string, string>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  aa: 'å',
  AA: 'Å',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  dh: 'ð',
  th: 'þ',
};

/** TeX's control words and symbols that print a character; pure data. */
export const latexCharacters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '&': '&',
    '%': '%',
    $: '$',
    '#': '#',
    _: '_',
    '{': '{',
    '}': '}',
    ' ': ' ',
    '\n': ' ',
    ',': ' ',
    ';': ' ',
    ':': ' ',
    '!': '',
    '/': '',
    '-': '',
    '@': '',
    ...texLetters,
    i: 'ı',
    j: 'ȷ',
    dots: '…',
    ldots: '…',
    textellipsis: '…',
    textendash: '–',
    textemdash: '—',
    textbackslash: '\\',
    backslash: '\\',
    textasciitilde: '~',
    textasciicircum: '^',
    textless: '<',
    textgreater: '>',
    textbar: '|',
    textunderscore: '_',
    textbullet: '•',
    textdegree: '°',
    textregistered: '®',
    texttrademark: '™',
    textquotedblleft: '“',
    textquotedblright: '”',
    textquoteleft: '‘',
    textquoteright: '’',
    textquotesingle: "'",
    textvisiblespace: ' ',
    textdollar: '$',
    textmu: 'µ',
    textmd: '',
    lq: '‘',
    rq: '’',
    copyright: '©',
    textcopyright: '©',
    pounds: '£',
    euro: '€',
    texteuro: '€',
    S: '§',
    P: '¶',
    dag: '†',
    ddag: '‡',
    slash: '/',
    TeX: 'TeX',
    LaTeX: 'LaTeX',
    LaTeXe: 'LaTeX2e',
    BibTeX: 'BibTeX',
    eTeX: 'e-TeX',
    XeTeX: 'XeTeX',
    LuaTeX: 'LuaTeX',
    pdfTeX: 'pdfTeX',
    MF: 'METAFONT',
    MP: 'MetaPost',
    quad: ' ',
    qquad: ' ',
    enspace: ' ',
    space: ' ',
    thinspace: ' ',
    ' /': '',
    tab: ' ',
    lbrace: '{',
    rbrace: '}',
    lbrack: '[',
    rbrack: ']',
    colon: ':',
    hfill: ' ',
    and: ' and ',
  }),
);

/** Accents by the letter or sign of their control sequence, as combining characters. */
export const latexAccents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '`': '\u0300',
    "'": '\u0301',
    '^': '\u0302',
    '~': '\u0303',
    '=': '\u0304',
    u: '\u0306',
    '.': '\u0307',
    '"': '\u0308',
    r: '\u030a',
    H: '\u030b',
    v: '\u030c',
    d: '\u0323',
    c: '\u0327',
    k: '\u0328',
    b: '\u0331',
  }),
);

const accents = /\\(?:([`'^"~=.])\s*|([uvHcdbkr])(?:\s+|(?=\{)))(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))/g;
const commands = /\\([A-Za-z]+)\*?\s*|\\([^A-Za-z])/g;

/** A TeX value as plain words: accents combined, commands removed, dashes and quotes as printed. */
export function texWords(value: string): string {
  if (!/[\\{}~$]|--|``|''/.test(value)) return value;
  return value
    .replace(accents, (whole, sign?: string, letter?: string, braced?: string, bare?: string) => {
      const mark = latexAccents.get(sign ?? letter ?? '');
      return mark === undefined ? whole : ((braced ?? bare ?? '') + mark).normalize();
    })
    .replace(commands, (_, word?: string, sign?: string) => latexCharacters.get(word ?? sign ?? '') ?? '')
    .replace(/[{}$]/g, '')
    .replaceAll('~', ' ')
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”');
}
