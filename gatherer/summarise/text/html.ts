import { systemClock } from '../../../kernel/index.ts';
import type { AttributeNote, BlockRole, Field } from '../../../readers/document/index.ts';
import {
  computed,
  fragmentText,
  HtmlReader,
  isServerPage,
  refreshTarget,
  robotName,
  robotsDirectives,
  withoutServerCode,
} from '../../../readers/html/index.ts';
import { mainTextOf, PageReader, type ParagraphRole } from '../../../readers/main-text/index.ts';
import {
  articleBody,
  hasMarkup,
  MarkupReader,
  pageAttributes,
  pageFields,
  readJsonLd,
} from '../../../readers/page-metadata/index.ts';
import {
  beginning,
  declaredCharset,
  decodeText,
  extractOf,
  isNameHeading,
  keptLines,
  type References,
  resolvedUrl,
  TextBlocks,
} from '../../../readers/text/index.ts';
import { Attributes, encodeAnchors } from '../../../soif/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Of HTML, besides its text. */
export const htmlAttributes: readonly AttributeNote[] = [
  ...pageAttributes,
  { name: 'Headings', what: 'all headings, one per line' },
  {
    name: Attributes.headingAnchors,
    what:
      'the identifier of each heading in the page, one per line: empty for none; `=`, `-` or `_` where it is the one that ' +
      'GitHub, docutils or AsciiDoc makes of the heading',
  },
  {
    name: 'DC-...',
    what: 'Dublin Core as given: `DC.title` is `DC-Title`, `dcterms.issued` is `DCTERMS-Issued`',
  },
  { name: 'URL-References', what: 'the addresses it links to, one per line' },
];

const roles: Readonly<Record<ParagraphRole, BlockRole>> = {
  heading: 'heading',
  paragraph: 'paragraph',
  'list item': 'item',
  preformatted: 'pre',
  'table row': 'row',
};

// As of plain text.
const maxTitle = 200;

/** HTML: title, metadata, links, and visible or main text; nofollow is respected. */
export const summariseHtml: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset, declaredCharset(document.bytes));
  const isProgram = isServerPage(document.name, source.slice(0, 1000));
  const html = isProgram ? withoutServerCode(source) : source;
  const selfClosing = document.mediaType === 'application/xhtml+xml';
  const main = options.text === 'selected' || options.text === 'terse';
  const blocks = new TextBlocks(options);
  const reader = new HtmlReader(
    html,
    main ? new TextBlocks({ ...options, text: 'none' }) : blocks,
    selfClosing,
  );
  const markup = hasMarkup(html) ? new MarkupReader(html) : undefined;
  const page = main ? new PageReader(html, selfClosing) : undefined;
  reader.read(...[page, markup].filter((beside) => beside !== undefined));
  const { relations } = reader;
  const things = readJsonLd(relations.scripts);
  if (page !== undefined) {
    for (const { role, text, level } of mainTextOf(page.tree(articleBody(things))).paragraphs)
      blocks.add(keptLines(text), roles[role], level);
  }
  // A page that shows nothing without scripts: what scripts would show is better than nothing.
  if (options.text === 'full' && reader.hasHidden && blocks.empty)
    new HtmlReader(html, blocks, selfClosing, true).read();

  const { metas } = relations;
  const base =
    (relations.base === undefined ? undefined : resolvedUrl(relations.base, document.url)) ?? document.url;
  const target = refreshTarget(metas.find(({ name }) => name === 'refresh')?.content);
  if (target !== undefined) reader.references.add(target, true);
  const { index, follow } = robotsDirectives(
    metas.filter(({ name }) => name === 'robots' || name === robotName).map(({ content }) => content),
    '',
    systemClock.now(),
  );
  const written = relations.canonical === undefined ? undefined : resolvedUrl(relations.canonical, base);
  const canonical = written !== undefined && /^https?:/.test(written) ? written : undefined;
  const { main: own, boilerplate, first } = reader.headings;
  const headings = own.length > 0 ? own : boilerplate;
  const heading = own[0]?.heading ?? first;
  const { title, fields, dublinCore, files } = pageFields({
    metas,
    things: [...things, ...(markup?.roots ?? [])],
    urls: [document.url, ...(canonical === undefined ? [] : [canonical])],
    base,
    canonical,
    alternates: relations.alternates.flatMap(({ language, href }) => {
      const url = resolvedUrl(href, base);
      return url === undefined ? [] : [{ language, url }];
    }),
    title: reader.title,
    heading: heading === undefined || isNameHeading(heading) ? undefined : heading,
    firstLine: titleLine(reader.firstLine ?? reader.boilerplateLine),
    language: reader.language,
    authors: relations.authors.map(fragmentText),
    tags: relations.tags.map(fragmentText),
    dates: relations.dates.map(fragmentText),
    licences: relations.licences,
    image: relations.image,
  });
  for (const file of files) if (resolvedUrl(file, base) !== document.url) reader.references.add(file, true);
  const references = reader.references.resolve(base);
  const all: Field[] = [
    ...fields,
    [Attributes.headings, headings.map(({ heading: text }) => text).join('\n')],
    [Attributes.headingAnchors, encodeAnchors(headings)],
    ...dublinCore,
  ];
  return {
    ...extractOf({
      title,
      fields: all.filter(([, value]) => value !== ''),
      blocks,
      references: isProgram ? wholeReferences(references) : references,
    }),
    index,
    follow,
    ...(canonical === undefined ? {} : { canonical }),
  };
};

/** The addresses that are whole: a program completes no part of them. */
function wholeReferences({ references, links, cut }: References): References {
  const whole = (url: string) => !url.includes(computed);
  return { references: references.filter(whole), links: links.filter(whole), cut };
}

/** A page's first line as its title: of a long paragraph the first sentence. */
function titleLine(line: string | undefined): string | undefined {
  if (line === undefined || line.length <= maxTitle) return line;
  const start = beginning(line, maxTitle);
  const sentence = /^.*?[.!?](?=\s)|^.*?[\u3002\uff01\uff1f]/u.exec(start)?.[0];
  return sentence ?? start.replace(/\s\S*$/, '');
}
