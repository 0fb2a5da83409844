import type { AttributeNote } from '../../../readers/document/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a FrameMaker interchange file. */
export const framemakerAttributes: readonly AttributeNote[] = [
  {
    name: 'Title',
    what: 'The title of the file information, else the first paragraph tagged as title or heading',
  },
  { name: 'Author', what: 'The author of the file information' },
  { name: 'Subject', what: 'The subject of the file information' },
  { name: 'Keywords', what: 'The keywords of the file information' },
  { name: 'Creation-Date', what: 'Date of creation, as written' },
  { name: 'Format-Version', what: 'The version of the interchange format' },
  { name: 'Paragraph-Tags', what: 'The tags of paragraphs used in the text' },
  { name: 'Headings', what: 'Paragraphs whose tag is a title or heading' },
];

const headingTag = /title|head|chapter|section|appendix/i;
const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Tab: '\t',
    HardSpace: ' ',
    EnSpace: ' ',
    EmSpace: ' ',
    ThinSpace: ' ',
    HardReturn: '\n',
    HardHyphen: '-',
    SoftHyphen: '',
    EnDash: '–',
    EmDash: '—',
    Bullet: '•',
    Dagger: '†',
  }),
);
const escapes: Readonly<Record<string, string>> = { t: '\t', '>': '>', q: "'", Q: '`', '\\': '\\' };
const maxParagraph = 1024 * 1024;

/** FrameMaker's interchange format (MIF): file information, and the strings of paragraphs with their tags. */
export const summariseFramemaker: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset);
  const text = new StructuredText(options);
  const information = new Map<string, string>();
  const tags = new Set<string>();
  let paragraph: string | undefined;
  let tag = '';
  let title: string | undefined;
  let key = '';
  const end = () => {
    if (paragraph === undefined) return;
    if (paragraph.trim() !== '' && tag !== '' && tags.size < 1000) tags.add(tag);
    if (headingTag.test(tag)) {
      text.heading(paragraph);
      if (/title/i.test(tag)) title ??= paragraph;
    } else text.paragraph(paragraph);
    paragraph = undefined;
  };
  // Each statement is on a line of its own: a name, a value, and a closing bracket unless it contains others.
  for (const line of source.split(/\r\n?|\n/)) {
    const statement = line.slice(0, maxParagraph).trim();
    const name = /^<(\w{1,64})/.exec(statement)?.[1] ?? '';
    const value = statement.slice(name.length + 1, statement.endsWith('>') ? -1 : undefined).trim();
    switch (name) {
      case 'Para':
        end();
        paragraph = '';
        tag = '';
        break;
      case 'PgfTag':
        if (paragraph !== undefined) tag = stringOf(value);
        break;
      case 'String':
        if (paragraph !== undefined && paragraph.length < maxParagraph) paragraph += stringOf(value);
        break;
      case 'Char':
        if (paragraph !== undefined) paragraph += signs.get(value) ?? '';
        break;
      case 'Key':
        key = stringOf(value);
        break;
      case 'Value':
        if (key !== '' && information.size < 1000) information.set(key.toLowerCase(), stringOf(value));
        key = '';
        break;
      case 'TextFlow':
      case 'Notes':
        end();
        break;
    }
  }
  end();
  text.title = information.get('title') || title;
  return text.extract(document, [
    ...eachOf('Author', (information.get('author') ?? '').split(';')),
    fact('Subject', information.get('subject')),
    joined('Keywords', (information.get('keywords') ?? '').split(/[,;]/)),
    fact('Creation-Date', information.get('creationdate')),
    fact('Format-Version', /^<MIFFile\s+([\d.]+)/.exec(source)?.[1]),
    joined('Paragraph-Tags', tags),
  ]);
};

/** The text between a grave accent and an apostrophe. */
function stringOf(value: string): string {
  const inner = value.replace(/^`/, '').replace(/'$/, '');
  return inner.includes('\\')
    ? inner.replace(
        /\\(?:x([0-9a-fA-F]{2}) ?|u([0-9a-fA-F]{4})|(.))/g,
        (_, byte?: string, code?: string, sign = '') =>
          byte !== undefined || code !== undefined
            ? String.fromCharCode(Number.parseInt(byte ?? code ?? '', 16))
            : (escapes[sign] ?? ''),
      )
    : inner;
}
