import {
  decodeAs,
  encodingOfCodePage,
  isPageField,
  pageMark,
  RunningText,
  type StructuredText,
} from '../../text/index.ts';
import { RtfScanner } from './scanner.ts';

// Encodings by Windows' numbers for the character sets of fonts; for others the document's encoding applies.
const byFontCharset: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

const maxDepth = 1000;
const maxValue = 64 * 1024;
const maxTable = 5000;
const maxParagraph = 1024 * 1024;

// Groups whose text is information, not text of the document.
const informing = new Set([
  'title',
  'author',
  'subject',
  'keywords',
  'operator',
  'company',
  'manager',
  'category',
  'doccomm',
]);
const dates = new Set(['creatim', 'revtim', 'printim']);
// Groups without text.
const silent = new Set(
  'fonttbl colortbl pict object objdata themedata datastore listtable listoverridetable rsidtbl generator xmlnstbl latentstyles filetbl revtbl private ftnsep ftnsepc aftnsep bkmkstart bkmkend atnid atnauthor xe tc nonshppict template userprops pgdsctbl'.split(
    ' ',
  ),
);
// Groups with text beside the text of the document, and the kind of each.
const besides: ReadonlyMap<string, string> = new Map([
  ...['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf'].map(
    (word) => [word, 'running'] as const,
  ),
  ['annotation', 'beside'],
  ['shptxt', 'beside'],
]);
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tab: '\t',
    cell: '\t',
    nestcell: '\t',
    line: '\n',
    emdash: '—',
    endash: '–',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
    bullet: '•',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    '~': ' ',
    _: '-',
    '-': '',
  }),
);
const paragraphEnds = new Set(['par', 'sect', 'page', 'row', 'nestrow', 'column']);

interface Group {
  /** The kind of text in it: of the document, of a field of information, of a style's name, or none. */
  readonly destination: string;
  readonly encoding: string | undefined;
  /** Number of characters that substitute one of Unicode. */
  readonly fallback: number;
  readonly hidden: boolean;
}

/** Reads RTF: text, headings, the info group, links and notes; too deep groups are skipped. */
export class RtfReader {
  readonly information = new Map<string, string>();
  readonly #scanner: RtfScanner;
  readonly #text: StructuredText;
  readonly #groups: Group[] = [];
  #group: Group = { destination: 'text', encoding: undefined, fallback: 1, hidden: false };
  #beyond = 0;
  #ignorable = false;
  #skip = 0;
  #pending = '';
  #paragraph = '';
  #note = '';
  /** The open text beside the document's, and the ended ones: comments and words in boxes. */
  #aside = '';
  readonly #besides: string[] = [];
  readonly #running = new RunningText();
  #pageField = false;
  #level: number | undefined;
  #value = '';
  #documentEncoding = 'windows-1252';
  readonly #fonts = new Map<number, string | undefined>();
  #font = 0;
  readonly #styles = new Map<number, number>();
  #style = 0;
  #deepest = 0;
  readonly #dateParts = new Map<string, number>();

  /** `source` as Latin-1 text. */
  constructor(source: string, text: StructuredText) {
    this.#scanner = new RtfScanner(source);
    this.#text = text;
  }

  read(): void {
    for (let token = this.#scanner.next(); token !== undefined; token = this.#scanner.next()) {
      if (token.kind === 'open') this.#open();
      else if (token.kind === 'close') this.#close();
      else if (token.kind === 'text') this.#bytes(token.text);
      else this.#word(token.word, token.value);
    }
    this.#endParagraph();
    for (const beside of this.#besides) this.#text.paragraph(beside);
    this.#running.addTo(this.#text);
    if (this.#deepest > maxDepth) this.#text.notes.push('Text nested too deeply was left out.');
  }

  #open(): void {
    this.#flush();
    this.#ignorable = false;
    this.#skip = 0;
    this.#deepest = Math.max(this.#deepest, this.#groups.length + this.#beyond);
    if (this.#groups.length >= maxDepth) this.#beyond++;
    else this.#groups.push(this.#group);
  }

  #close(): void {
    this.#flush();
    this.#skip = 0;
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const outer = this.#groups.pop();
    if (outer === undefined) return;
    const { destination } = this.#group;
    if (destination !== outer.destination) this.#endDestination(destination);
    this.#group = outer;
  }

  #endDestination(destination: string): void {
    if (destination === 'stylesheet-entry') {
      const level = /^(?:heading|überschrift|titre|titolo|título|заголовок)\s*(\d)/i.exec(this.#value)?.[1];
      const isTitle = /^(?:title|titel|titre)\b/i.test(this.#value);
      if ((level !== undefined || isTitle) && this.#styles.size < maxTable)
        this.#styles.set(this.#style, Number(level ?? 0));
    } else if (informing.has(destination)) this.information.set(destination, this.#value.trim());
    else if (dates.has(destination)) {
      const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = ['yr', 'mo', 'dy', 'hr', 'min'].map(
        (part) => this.#dateParts.get(part),
      );
      const two = (value: number) => String(value).padStart(2, '0');
      if (year > 0)
        this.information.set(destination, `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}`);
      this.#dateParts.clear();
    } else if (destination === 'fldinst') {
      const link = /HYPERLINK\s+(?!\\l)"?([^"\s]+)/.exec(this.#value)?.[1];
      if (link !== undefined) this.#text.references.add(link, true);
      this.#pageField = isPageField(this.#value);
    } else if (destination === 'running' || destination === 'beside') {
      if (destination === 'running') this.#running.lines(this.#aside.trim());
      else if (this.#besides.length < maxTable) this.#besides.push(this.#aside);
      this.#aside = '';
    } else if (destination === 'footnote' && this.#note !== '') {
      this.#paragraph += ` [${this.#note.trim()}] `;
      this.#note = '';
    }
    this.#value = '';
  }

  /** Text in the encoding of its font, or the substitutes of a Unicode character, which are skipped. */
  #bytes(text: string): void {
    const kept = this.#skip > 0 ? text.slice(this.#skip) : text;
    this.#skip = Math.max(0, this.#skip - text.length);
    if (this.#pending.length < maxParagraph) this.#pending += kept;
  }

  #flush(): void {
    if (this.#pending === '') return;
    const text = this.#pending;
    this.#pending = '';
    const encoding = this.#group.encoding ?? this.#documentEncoding;
    this.#say(/[\x80-\xff]/.test(text) ? decodeAs(Buffer.from(text, 'latin1'), encoding) : text);
  }

  #say(text: string): void {
    const { destination, hidden } = this.#group;
    if (hidden || this.#beyond > 0) return;
    if (destination === 'text') {
      if (this.#paragraph.length < maxParagraph) this.#paragraph += text;
    } else if (destination === 'footnote') {
      if (this.#note.length < maxValue) this.#note += text;
    } else if (destination === 'running' || destination === 'beside') {
      if (this.#aside.length < maxValue) this.#aside += text;
    } else if (destination !== 'silent' && this.#value.length < maxValue) this.#value += text;
  }

  #word(word: string, value: number | undefined): void {
    if (word === "'") {
      this.#bytes(String.fromCharCode(value ?? 0x3f));
      return;
    }
    this.#flush();
    if (word === 'bin') this.#scanner.skip(value ?? 0);
    else if (word === '*') this.#ignorable = true;
    else if (word === 'u') {
      this.#say(String.fromCharCode((value ?? 0x3f) & 0xffff));
      this.#skip = this.#group.fallback;
    } else if (word === '\\' || word === '{' || word === '}') this.#say(word);
    else if (word === '\r' || word === '\n' || paragraphEnds.has(word)) this.#break();
    else if (signs.get(word) !== undefined) this.#say(signs.get(word) ?? '');
    else this.#set(word, value);
  }

  #set(word: string, value: number | undefined): void {
    const group = this.#group;
    const number = value ?? 0;
    const { destination } = group;
    if (word === 'uc') this.#group = { ...group, fallback: Math.min(Math.max(number, 0), 32) };
    else if (word === 'v' || word === 'deleted') this.#group = { ...group, hidden: value !== 0 };
    else if (word === 'ansicpg') this.#documentEncoding = encodingOfCodePage(number);
    else if (word === 'mac') this.#documentEncoding = 'macintosh';
    else if (word === 'f' || word === 'deff') {
      this.#font = number;
      if (word === 'f') this.#group = { ...group, encoding: this.#fonts.get(number) };
    } else if (word === 'fcharset' && this.#fonts.size < maxTable)
      this.#fonts.set(this.#font, byFontCharset[number]);
    else if (word === 's') {
      this.#style = number;
      if (destination === 'text') this.#level = this.#styles.get(number);
      else if (destination === 'stylesheet') this.#enter('stylesheet-entry');
    } else if (word === 'outlinelevel' && number < 9 && destination === 'text') this.#level = number + 1;
    else if (word === 'pard') this.#level = undefined;
    else if (/^(?:yr|mo|dy|hr|min)$/.test(word)) this.#dateParts.set(word, number);
    else if (/^nofpages$|^nofwords$/.test(word)) this.information.set(word, String(number));
    else if (word === 'stylesheet') this.#enter('stylesheet');
    else if (word === 'info') this.#enter('info');
    else if (destination === 'info' && (informing.has(word) || dates.has(word))) this.#enter(word);
    else if (word === 'fldinst') this.#enter('fldinst');
    else if (word === 'footnote') this.#enter('footnote');
    else if (word === 'chpgn') this.#say(pageMark);
    else if (word === 'fldrslt' && this.#pageField) this.#leavePageOut();
    else if (besides.has(word)) this.#enterBeside(word);
    else if (silent.has(word) || (this.#ignorable && word !== 'shppict')) this.#enter('silent');
    this.#ignorable = false;
  }

  #enter(destination: string): void {
    if (this.#group.destination === 'silent') return;
    if (this.#groups.length > 0) this.#group = { ...this.#group, destination };
    this.#value = '';
  }

  /** A box lies in a group that old programs pass over. */
  #enterBeside(word: string): void {
    if (this.#group.destination === 'silent' && word !== 'shptxt') return;
    this.#group = { ...this.#group, destination: besides.get(word) ?? 'beside' };
  }

  #leavePageOut(): void {
    this.#say(pageMark);
    this.#pageField = false;
    this.#enter('silent');
  }

  #break(): void {
    if (this.#group.destination === 'running' || this.#group.destination === 'beside') this.#say('\n');
    else if (this.#group.destination === 'footnote') this.#note += ' ';
    else if (this.#group.destination === 'text') this.#endParagraph();
  }

  #endParagraph(): void {
    this.#flush();
    const text = this.#paragraph;
    this.#paragraph = '';
    if (this.#level !== undefined && text.length < 1000) this.#text.heading(text);
    else if (text.includes('\n')) this.#text.lines(text);
    else this.#text.paragraph(text);
  }
}
