import { beginning, oneLine, type StructuredText } from '../text/index.ts';

const maxKeywords = 500;
const maxLine = 16 * 1024;

const keyword = /^\s*#\+([A-Za-z][\w-]{0,60}):\s*(.*)$/;
const headline = /^(\*{1,30})\s+(\S.*)$/;
const task = /^(?:TODO|DONE|NEXT|WAITING|WAIT|HOLD|STARTED|CANCELL?ED|FIXME|PROJ|SOMEDAY|COMMENT)\s+/;
const tags = /\s+(:(?:[\p{L}\p{N}_@#%]{1,60}:){1,20})\s*$/u;
const block = /^\s*#\+BEGIN_(\w{1,40})(?:\s|$)/i;
const drawer = /^\s*:([\w-]{1,60}):\s*$/;
/** Drawers that the exporter leaves out (org-export-with-drawers). */
const unread = /^\s*:(?:PROPERTIES|LOGBOOK):/i;
const planning = /^\s*(?:CLOCK|SCHEDULED|DEADLINE|CLOSED):\s/;
const listItem = /^(\s*)(?:[-+]|\s\*|\d{1,6}[.)])\s+(?:\[@\d{1,6}\]\s+)?(?:\[[ xX-]\]\s+)?/;
/** Blocks whose lines are as written, and blocks that are not for readers. */
const verbatim: ReadonlySet<string> = new Set(['src', 'example', 'verse', 'latex', 'ascii']);
const silent: ReadonlySet<string> = new Set(['comment', 'html', 'export']);

/** Reads Org (orgmode.org/worg/org-syntax) line by line: keywords, headlines, blocks, lists, tables, links. */
export class OrgReader {
  /** Values of `#+KEYWORD:` lines by lower-case name, in their order. */
  readonly keywords = new Map<string, string[]>();
  /** Tags of headlines. */
  readonly tags = new Set<string>();
  readonly #text: StructuredText;
  #paragraph: string[] = [];
  #role: 'paragraph' | 'item' = 'paragraph';
  #block: { readonly kind: string; readonly lines: string[] } | undefined;
  #inDrawer = false;

  constructor(text: StructuredText) {
    this.#text = text;
  }

  read(lines: readonly string[]): void {
    for (const line of lines) this.#line(line.trimEnd());
    this.#endParagraph();
    if (this.#block !== undefined) this.#endBlock(this.#block);
  }

  /** The values of a keyword. */
  values(name: string): readonly string[] {
    return this.keywords.get(name) ?? [];
  }

  #line(line: string): void {
    const open = this.#block;
    if (open !== undefined) {
      if (line.length < 200 && line.trim().toLowerCase() === `#+end_${open.kind}`) this.#endBlock(open);
      // A comma protects lines that look like Org.
      else open.lines.push(line.replace(/^(\s*),(?=\*|#\+)/, '$1'));
      return;
    }
    const short = line.slice(0, maxLine);
    const head = headline.exec(short);
    if (head !== null) {
      this.#inDrawer = false;
      this.#headline(head[1]?.length ?? 1, head[2] ?? '');
      return;
    }
    if (this.#inDrawer) {
      if (/^\s*:END:\s*$/i.test(short)) this.#inDrawer = false;
      return;
    }
    if (short === '') this.#endParagraph();
    else if (/^\s*#\+/.test(short)) this.#keyword(short);
    else if (/^\s*#(?:\s|$)/.test(short) || planning.test(short)) return;
    else if (drawer.test(short)) {
      this.#endParagraph();
      this.#inDrawer = unread.test(short);
    } else this.#words(line, short);
  }

  #keyword(line: string): void {
    const kind = block.exec(line)?.[1]?.toLowerCase();
    if (kind !== undefined) {
      this.#endParagraph();
      // Quotations and the like hold ordinary text.
      if (verbatim.has(kind) || silent.has(kind)) this.#block = { kind, lines: [] };
      return;
    }
    const [, name = '', value = ''] = keyword.exec(line) ?? [];
    if (name === '' || value === '') return;
    const key = name.toLowerCase();
    const list = this.keywords.get(key);
    if (key === 'caption') this.#text.paragraph(this.#inline(value));
    else if (list !== undefined) {
      if (list.length < maxKeywords) list.push(this.#inline(value));
    } else if (this.keywords.size < maxKeywords) this.keywords.set(key, [this.#inline(value)]);
  }

  #headline(level: number, written: string): void {
    this.#endParagraph();
    const marks = tags.exec(written)?.[1];
    for (const tag of marks?.split(':') ?? [])
      if (tag !== '' && this.tags.size < maxKeywords) this.tags.add(tag);
    const bare = (marks === undefined ? written : written.replace(tags, ''))
      .replace(task, '')
      .replace(/^\[#\w{1,2}\]\s+/, '');
    const heading = oneLine(this.#inline(bare));
    this.#text.heading(heading, level);
  }

  #words(line: string, short: string): void {
    const table = /^\s*\|(.*)$/.exec(short);
    if (table !== null) {
      this.#endParagraph();
      if (!/^[-+|\s]*$/.test(table[1] ?? ''))
        this.#text.row(this.#inline((table[1] ?? '').replaceAll('|', ' ').replace(/<[lcr]?\d{0,3}>/g, ' ')));
      return;
    }
    const fixed = /^\s*:(?:\s(.*))?$/.exec(line);
    if (fixed !== null) {
      this.#endParagraph();
      this.#text.lines(fixed[1] ?? '');
      return;
    }
    if (/^\s*-{5,}$/.test(short)) this.#endParagraph();
    else if (listItem.test(short)) {
      this.#endParagraph();
      this.#role = 'item';
      this.#paragraph.push(line.replace(listItem, '').replace(/\s::(?:\s|$)/, ' '));
    } else this.#paragraph.push(line);
  }

  #endParagraph(): void {
    if (this.#paragraph.length > 0)
      this.#text.paragraph(this.#inline(this.#paragraph.join('\n')), this.#role);
    this.#paragraph = [];
    this.#role = 'paragraph';
  }

  #endBlock({ kind, lines }: { readonly kind: string; readonly lines: readonly string[] }): void {
    this.#block = undefined;
    if (!silent.has(kind)) this.#text.lines(lines.join('\n'));
  }

  #inline(source: string): string {
    return orgInline(source, (url) => this.#text.references.add(url, true));
  }
}

const link = /\[\[([^[\]\n]{1,2000})\](?:\[([^[\]]{0,2000})\])?\]/g;
const bareUrl = /https?:\/\/[^\s<>()[\]"'`|]{1,2000}/g;
const emphasis = /(^|[\s([{"'’—-])([*/_+=~])(\S|\S.{0,500}?\S)\2(?=$|[\s)\]}.,;:!?"'’—-])/gm;

/** A paragraph without marks; its links are passed to `refer`. */
function orgInline(source: string, refer: (url: string) => void): string {
  const links = source.replace(link, (_, target: string, label: string | undefined) => {
    const url = target.replace(/^file:(?=[^/])/, '').replace(/::.*$/, '');
    const isPlace = /^[*#]|^(?:id|info|elisp|shell|roam|mu4e|notmuch|gnus|attachment):/.test(url);
    const isFile = /^(?:[a-z][a-z\d+.-]{1,20}:|\.{0,2}\/)|\.[a-z\d]{1,6}$/i.test(url);
    if (!isPlace && isFile) refer(url.replaceAll('%20', ' '));
    return label ?? (isFile && /\.(?:png|jpe?g|gif|svg|webp)$/i.test(url) ? '' : target);
  });
  for (const [url] of source.matchAll(bareUrl)) refer(url.replace(/[.,;:!?]+$/, ''));
  const plain = links
    .replace(/\{\{\{[^{}\n]{0,500}\}\}\}|@@[\w-]{1,20}:[^@\n]{0,500}@@|\[fn:[\w-]{0,60}\]/g, '')
    .replace(/\[fn:[\w-]{0,60}:([^[\]]{0,2000})\]/g, ' ($1)')
    .replace(/<<<?([^<>\n]{1,200})>>>?/g, '$1')
    .replace(/\\\\$/gm, '');
  return beginning(plain.replace(emphasis, '$1$3'), 1024 * 1024);
}
