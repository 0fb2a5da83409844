import type { AttributeNote, Field } from '../../../readers/document/index.ts';
import {
  blocksOf,
  eachOf,
  fact,
  isProse,
  joined,
  oneLine,
  type PlainBlock,
  plainLines,
  StructuredText,
  withoutPages,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of an RFC or Internet-Draft. */
export const rfcAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title below the first lines' },
  { name: 'Number', what: 'The number of the RFC, such as `RFC 1591`, or the name of the draft' },
  { name: 'Author', what: 'The authors of the first lines, numbered when there are several' },
  { name: 'Institution', what: 'The institutions of the authors' },
  { name: 'Date', what: 'Month and year' },
  { name: 'Category', what: 'Category or intended status, such as `Standards Track`' },
  { name: 'Obsoletes', what: 'Numbers of the RFCs it replaces' },
  { name: 'Updates', what: 'Numbers of the RFCs it changes' },
  { name: 'Series', what: 'Its numbers as BCP, STD or FYI' },
  { name: 'Expires', what: 'Expiry date of a draft' },
  { name: 'Abstract', what: 'The abstract' },
  { name: 'See-Also', what: 'The RFCs that the text names' },
  { name: 'Headings', what: 'The headings of sections' },
];

const maxAbstract = 16 * 1024;
const maxReferences = 500;

/** RFCs and Internet-Drafts in plain text, in the layout of RFC 7322 and earlier. */
export const summariseRfc: SyncSummariser = (document, options) => {
  const lines = withoutPages(plainLines(document));
  const text = new StructuredText(options);
  const blocks = [...blocksOf(lines)];
  const first = new FirstLines();
  let body = 0;
  // The first lines are blocks in two columns or with labels; the next is the title.
  while (body < 3 && first.read(blocks[body]?.lines ?? [])) body++;
  const title = titleOf(blocks[body]);
  if (title !== undefined) {
    body++;
    text.title = title.title;
    first.draft ??= title.draft;
    text.paragraph(title.title);
  }
  const reader = new RfcBody(text);
  for (const block of blocks.slice(body)) reader.block(block);
  if (first.draft === undefined && first.number === undefined) first.draft = draftName(document.name);

  const number = first.number === undefined ? first.draft : `RFC ${first.number}`;
  const fields: Field[] = [
    fact('Number', number),
    ...eachOf('Author', first.authors),
    ...eachOf('Institution', first.institutions),
    fact('Date', first.date),
    fact('Category', first.label('category') ?? first.label('intended status')),
    fact('Obsoletes', first.label('obsoletes')),
    fact('Updates', first.label('updates')),
    joined('Series', first.series),
    fact('Expires', first.label('expires')),
    ['Abstract', reader.abstract],
    joined(
      'See-Also',
      [...reader.named].filter((name) => name !== number),
    ),
  ];
  return text.extract(document, fields);
};

const month =
  /\b(?:(?:\d{1,2}\s+)?(?:January|February|March|April|May|June|July|August|September|October|November|December)(?:\s+\d{1,2},?)?)\s+(?:19|20)\d\d\b/i;
const author = /^(?:\p{Lu}\.[\s-]?){1,4}\s?[\p{L}'’. -]{2,40}(?:,\s*(?:Ed(?:itor)?s?\.?|Jr\.?|III?|Sr\.))*$/u;

/** The two columns of the first lines: labels on the left; authors, institutions and the date on the right. */
class FirstLines {
  readonly authors: string[] = [];
  readonly institutions: string[] = [];
  readonly series: string[] = [];
  number: string | undefined;
  draft: string | undefined;
  date: string | undefined;
  readonly #labels = new Map<string, string>();
  #last = '';

  label(name: string): string | undefined {
    return this.#labels.get(name);
  }

  /** Read a block of the first lines; false for any other block. */
  read(lines: readonly string[]): boolean {
    const like = lines.some((line) => /^\S.*\S {3,}\S|^[A-Z][\w ]{2,30}: /.test(line.slice(0, 200)));
    if (!like || lines.length > 40) return false;
    for (const line of lines) this.#line(line.slice(0, 200));
    return true;
  }

  #line(line: string): void {
    // Spaces separate the two columns; a line that begins far to the right has only the right one.
    const columns = line.startsWith('          ') ? ['', line] : line.split(/ {3,}/);
    this.#left(oneLine(columns[0] ?? ''));
    for (const column of columns.slice(1)) this.#right(oneLine(column));
  }

  #left(text: string): void {
    const label = /^([A-Za-z][A-Za-z -]{1,40}):\s*(.*)$/.exec(text);
    if (label === null) {
      if (/^draft-[\w.-]+$/.test(text)) this.draft = text;
      else if (this.#last !== '' && /^[\d, ]+(?:\(if approved\))?$/.test(text))
        this.#labels.set(this.#last, `${this.#labels.get(this.#last) ?? ''} ${text}`);
      return;
    }
    const name = (label[1] ?? '').toLowerCase();
    const value = label[2] ?? '';
    this.#last = name;
    if (name === 'request for comments' || name === 'rfc') this.number ??= /\d{1,5}/.exec(value)?.[0];
    else if (name === 'bcp' || name === 'std' || name === 'fyi')
      this.series.push(`${name.toUpperCase()} ${value}`);
    else if (!this.#labels.has(name)) this.#labels.set(name, value);
  }

  #right(text: string): void {
    if (text === '') return;
    if (month.test(text)) this.date ??= text;
    else if (author.test(text)) this.authors.push(text);
    else if (/^(?:draft-)/.test(text)) this.draft = text;
    else if (!/^(?:ISSN|RFC|Request for|STD|BCP|FYI)\b/i.test(text)) this.institutions.push(text);
  }
}

function titleOf(
  block: PlainBlock | undefined,
): { readonly title: string; readonly draft?: string } | undefined {
  if (block === undefined || block.lines.length > 8) return undefined;
  const lines = block.lines.map(oneLine);
  const draft = lines
    .map((line) => /^<?(draft-[\w.-]+)>?$/.exec(line)?.[1])
    .find((name) => name !== undefined);
  const title = lines.filter((line) => !/^<?draft-[\w.-]+>?$/.test(line)).join(' ');
  if (title === '' || title.length > 300) return undefined;
  return draft === undefined ? { title } : { title, draft };
}

function draftName(name: string): string | undefined {
  return /^draft-[\w.-]{3,200}?(?=\.txt$|$)/.exec(name)?.[0];
}

const numbered =
  /^(?:\d{1,2}(?:\.\d{1,3}){0,6}\.?|Appendix\s+[A-Z](?:\.\d{1,2})*[.:]?|[A-Z](?:\.\d{1,2})+\.?)\s+\S/;
const known =
  /^(?:abstract|status of this memo|copyright(?: notice)?|table of contents|contents|introduction|references|acknowledge?ments?|security considerations|iana considerations|authors?['’]?s? address(?:es)?|full copyright statement|editors?['’]?s? address(?:es)?|intellectual property.*|index|contributors|normative references|informative references)\.?:?$/i;
// Dots that lead to a page number.
const contentsLine = /(?:\.{4}|(?:\. ){3})[ .]*\d+\s*$/;

/** Sections, abstract and the named RFCs of the body. */
class RfcBody {
  readonly named = new Set<string>();
  abstract = '';
  readonly #text: StructuredText;
  #section = '';

  constructor(text: StructuredText) {
    this.#text = text;
  }

  block({ lines }: PlainBlock): void {
    if (lines.some((line) => contentsLine.test(line.slice(0, 300)))) return;
    const [first = ''] = lines;
    // Headings are at the margin or known; the rest of the block is text.
    const trimmed = first.trim();
    const heading =
      trimmed.length <= 100 &&
      ((numbered.test(trimmed) && /^\S/.test(first) && !/[.,;]$/.test(trimmed.replace(/^[\d.]+$/, ''))) ||
        known.test(trimmed) ||
        (lines.length === 1 && /^\p{Lu}/u.test(first) && !/[.,;:]$/.test(trimmed)));
    if (heading) this.#heading(trimmed);
    const rest = heading ? lines.slice(1) : lines;
    if (rest.length > 0 && this.#section !== 'table of contents') this.#body(rest);
  }

  #heading(line: string): void {
    this.#section = line
      .toLowerCase()
      .replace(/[.:]$/, '')
      .replace(/^contents$/, 'table of contents');
    if (this.#section !== 'table of contents') this.#text.heading(line);
  }

  #body(lines: readonly string[]): void {
    const block = lines.join('\n');
    for (const [, number] of block.matchAll(/\bRFC[\s-]?(\d{1,5})\b/g))
      if (this.named.size < maxReferences) this.named.add(`RFC ${number}`);
    const prose = isProse(lines);
    if (this.#section === 'abstract' && this.abstract.length < maxAbstract)
      this.abstract += (this.abstract === '' ? '' : '\n') + oneLine(block);
    if (/^status of|copyright|intellectual property/.test(this.#section)) this.#text.aside(block);
    else if (prose) this.#text.paragraph(block);
    else this.#text.lines(block);
  }
}
