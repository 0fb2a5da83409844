import type { Extract, Field } from '../../../readers/document/index.ts';
import { type FrontMatter, readFrontMatter } from '../../../readers/markup/index.ts';
import {
  beginning,
  decodeText,
  languageTag,
  numbered,
  oneLine,
  preceding,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** The title and the attributes that front matter gives; an empty value is dropped. */
export function frontMatterFields({ fields }: Pick<FrontMatter, 'fields'>): {
  readonly title: string | undefined;
  readonly fields: readonly Field[];
} {
  const values = (...keys: string[]) =>
    (keys.map((key) => fields.get(key)).find((list) => list !== undefined && list.length > 0) ?? [])
      .map((value) => oneLine(value))
      .filter(Boolean);
  return {
    title: values('title')[0],
    fields: [
      ['Description', values('description', 'summary', 'abstract').join(' ')],
      ['Keywords', values('keywords', 'tags').join(', ')],
      ...numbered('Author', values('author', 'authors')),
      ['Date', values('date')[0] ?? ''],
      ['Language', languageTag(values('lang', 'language')[0]) ?? ''],
    ],
  };
}

/** A text that a site generator begins with front matter, which is no text. The front matter precedes. */
export function behindFrontMatter(summarise: SyncSummariser): SyncSummariser {
  return (document, options) => {
    const text = decodeText(document.bytes, document.charset);
    const lines = beginning(text, 64 * 1024).split(/\r\n?|\n/);
    const front = readFrontMatter(lines);
    if (front.bodyLine === 0) return summarise(document, options);
    const rest = text
      .split(/\r\n?|\n/)
      .slice(front.bodyLine)
      .join('\n');
    const found: Extract = summarise({ ...document, bytes: Buffer.from(rest), charset: 'utf-8' }, options);
    const own = frontMatterFields(front);
    const named = own.fields.filter(([, value]) => value !== '');
    const title = own.title ?? found.title;
    return {
      ...found,
      ...(title === undefined ? {} : { title }),
      fields: preceding(named, found.fields),
    };
  };
}
