import { decodedBody, type MimeLeaf, mimeLeaves } from '../../../readers/archives/index.ts';
import type { AttributeNote, RecognisedDocument, SummariseOptions } from '../../../readers/document/index.ts';
import { withoutEnvelope } from '../../../readers/mail/index.ts';
import { extractOf, fact, readHeaderFields, TextBlocks } from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';
import { summariseHtml } from './html.ts';
import { summariseText } from './text.ts';

/** Attributes of a saved page, besides those of a page. */
export const savedPageAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title of the page, else the subject of the file' },
  { name: 'Author', what: 'The author that the page names' },
  { name: 'Description', what: 'The description in its meta elements' },
  { name: 'Keywords', what: 'The keywords that the page names' },
  { name: 'Original-URL', what: 'The address it was saved from' },
  { name: 'Saved', what: 'Date of saving, ISO 8601' },
  { name: 'Parts', what: 'Number of parts: frames, pictures, style sheets' },
  { name: 'Headings', what: 'All headings, one per line' },
  { name: 'URL-References', what: 'The addresses it links to' },
  { name: 'Full-Text', what: 'The text of the page and its frames' },
];

const maxHeader = 64 * 1024;
const maxFrames = 200;

/** MHTML (RFC 2557): the page with its frames; pictures and style sheets are only counted. */
export const summariseSavedPage: Summariser = async (document, options) => {
  const bytes = withoutEnvelope(document.bytes);
  const header = headerOf(bytes);
  const leaves = [...mimeLeaves(bytes)];
  const pages = leaves.filter(({ type }) => /^(?:text\/html|application\/xhtml\+xml)$/.test(type));
  const root = rootOf(pages, header('content-type')) ?? leaves.find(({ type }) => type.startsWith('text/'));
  const subject = await decodedWords(header('subject'));
  if (root === undefined) throw new SyntaxError('no page in it');
  const source = header('snapshot-content-location') ?? root.location;
  const read = partReader(document, options);
  const page = read(root, source);
  const frames = pages.filter((part) => part !== root).slice(0, maxFrames);
  const inside = frames.map((part) => read(part, part.location ?? source));
  const all = [page, ...inside];
  const blocks = new TextBlocks(options);
  for (const { text } of all)
    for (const { role, text: words, level } of text?.blocks ?? []) blocks.add(words, role, level);
  return {
    ...extractOf({
      title: page.title ?? subject,
      fields: [
        ...page.fields,
        fact('Original-URL', source),
        fact('Saved', dateOf(header('date'))),
        fact('Parts', leaves.length),
      ],
      blocks,
      references: {
        references: distinct(all.flatMap(({ references }) => references)).filter(outside),
        links: distinct(all.flatMap(({ links }) => links)).filter(outside),
        cut: false,
      },
      notes: page.notes,
    }),
    index: page.index,
    follow: page.follow,
  };
};

/** Reads a part under the address it was saved from, against which its links are. */
function partReader(document: RecognisedDocument, options: SummariseOptions) {
  return (part: MimeLeaf, location: string | undefined) => {
    const url = location !== undefined && URL.canParse(location) ? location : document.url;
    const { charset: _, ...rest } = document;
    const content = {
      ...rest,
      bytes: decodedBody(part.body, part.encoding),
      mediaType: part.type,
      name: '',
      url,
      ...(part.charset && { charset: part.charset }),
    };
    return /html/.test(part.type) ? summariseHtml(content, options) : summariseText(content, options);
  };
}

/** The part that the header names, else the first page. */
function rootOf(pages: readonly MimeLeaf[], contentType = ''): MimeLeaf | undefined {
  const start = /;\s*start\s*=\s*"?([^";]{1,1000})/i.exec(contentType)?.[1]?.trim();
  return (start === undefined ? undefined : pages.find(({ id }) => id === start)) ?? pages[0];
}

function headerOf(bytes: Uint8Array): (name: string) => string | undefined {
  const start = Buffer.from(bytes.subarray(0, maxHeader)).toString();
  const { fields } = readHeaderFields(start.replace(/^\s+/, '').split(/\r\n?|\n/));
  return (name) => fields.get(name)?.[0];
}

async function decodedWords(text: string | undefined): Promise<string | undefined> {
  if (!text?.includes('=?')) return text;
  const { decodeWords } = await import('postal-mime');
  return decodeWords(text);
}

function dateOf(text: string | undefined): string | undefined {
  const ms = Date.parse(text ?? '');
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}

const distinct = (urls: readonly string[]) => [...new Set(urls)];

/** Parts of the file itself are no references. */
const outside = (url: string) => !/^(?:cid|mid):/i.test(url);
