import type { BlockRole, Field } from '../../../readers/document/index.ts';
import {
  computed,
  HtmlReader,
  isServerPage,
  type Meta,
  robotName,
  robotsDirectives,
  withoutServerCode,
} from '../../../readers/html/index.ts';
import { mainTextOf, PageReader, type ParagraphRole } from '../../../readers/main-text/index.ts';
import {
  declaredCharset,
  decodeText,
  extractOf,
  keptLines,
  languageTag,
  type References,
  resolvedUrl,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { metaFields } from './html-meta.ts';

const roles: Readonly<Record<ParagraphRole, BlockRole>> = {
  heading: 'heading',
  paragraph: 'paragraph',
  'list item': 'item',
  preformatted: 'pre',
  'table row': 'row',
};

/** HTML: title or first heading, metadata, links, and visible or main text; nofollow is respected. */
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
  if (!main) reader.read();
  else {
    const page = new PageReader(html, selfClosing);
    reader.read(page);
    for (const { role, text, level } of mainTextOf(page.tree).paragraphs)
      blocks.add(keptLines(text), roles[role], level);
  }

  const base =
    (reader.base === undefined ? undefined : resolvedUrl(reader.base, document.url)) ?? document.url;
  const target = refreshTarget(reader.metas);
  if (target !== undefined) reader.references.add(target, true);
  const { index, follow } = robotsDirectives(
    reader.metas.filter(({ name }) => name === 'robots' || name === robotName).map(({ content }) => content),
  );
  const meta = metaFields(reader.metas);
  const headings = reader.headings.length > 0 ? reader.headings : reader.boilerplateHeadings;
  const canonical = reader.canonical === undefined ? undefined : resolvedUrl(reader.canonical, base);
  const fields: Field[] = [
    ...meta.fields,
    ['Language', languageTag(reader.language) ?? languageTag(meta.language) ?? ''],
    ['Headings', headings.join('\n')],
    ...meta.dublinCore,
  ];
  return {
    ...extractOf({
      title: reader.title ?? reader.headings[0] ?? reader.firstHeading,
      fields: fields.filter(([, value]) => value !== ''),
      blocks,
      references: isProgram ? written(reader.references.resolve(base)) : reader.references.resolve(base),
    }),
    index,
    follow,
    ...(canonical === undefined || !/^https?:/.test(canonical) ? {} : { canonical }),
  };
};

/** The addresses that are whole: a program completes no part of them. */
function written({ references, links, cut }: References): References {
  const whole = (url: string) => !url.includes(computed);
  return { references: references.filter(whole), links: links.filter(whole), cut };
}

/** The target of `meta http-equiv=refresh`, as written. */
function refreshTarget(metas: readonly Meta[]): string | undefined {
  const refresh = metas.find(({ name }) => name === 'refresh');
  return /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i
    .exec(refresh?.content.slice(0, 4096) ?? '')?.[1]
    ?.trim();
}
