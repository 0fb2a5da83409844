import { oneLine, type References, TextBlocks } from '../text/index.ts';
import { HtmlReader } from './html-reader.ts';

/** A piece of HTML as plain text on one line, and the addresses in it. */
export interface Fragment {
  readonly text: string;
  readonly references: References;
}

const noReferences: References = { references: [], links: [], cut: false };
const maxTextBytes = 1024 * 1024;

/** Read a piece of HTML such as a description; text without tags and entities stays as it is. */
export function readFragment(html: string, base: string): Fragment {
  if (!/[<&]/.test(html)) return { text: oneLine(html), references: noReferences };
  const blocks = new TextBlocks({ text: 'full', maxTextBytes });
  const reader = new HtmlReader(html, blocks);
  reader.read();
  const text = blocks.read()?.blocks.map((block) => block.text) ?? [];
  return { text: oneLine(text.join('\n')), references: reader.references.resolve(base) };
}

/** The text of a value that may be HTML. */
export function fragmentText(html: string): string {
  return readFragment(html, 'about:blank').text;
}

// Crossref writes abstracts in JATS.
const markup =
  /<\/(?:jats:)?(?:p|sec|title|italic|bold|sub|sup|div|span|b|i|u|em|strong|small|a|ul|ol|li|dl|dd|h[1-6]|font|blockquote|center|code|table|t[dr]|html|body)\s*>|<br\s*\/?>|^\s*<(?:p|div|span)[\s>]/i;

/** A value that may be HTML, without its markup; a value that only names a tag stays as it is. */
export function withoutMarkup(value: string): string {
  return markup.test(value) ? fragmentText(value) : value;
}
