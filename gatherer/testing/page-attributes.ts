import assert from 'node:assert/strict';
import type { SummariseOptions } from '../../readers/document/index.ts';
import { summariseHtml } from '../summarise/text/html.ts';
import { summaryOf } from './summary-of.ts';

/** The address of the page. */
export const pageUrl = 'http://site.example/docs/page.html';

/** The attributes of a page. */
export function pageAttributesOf(
  html: string,
  text: SummariseOptions['text'] = 'full',
): Readonly<Record<string, string>> {
  const { attributes } = summaryOf(
    summariseHtml,
    { url: pageUrl, name: 'page.html', bytes: Buffer.from(html) },
    { text },
  );
  return Object.fromEntries(attributes);
}

/** A page with this JSON-LD. */
export const described = (thing: unknown, title = 'T') =>
  `<title>${title}</title><script type="application/ld+json">${
    typeof thing === 'string' ? thing : JSON.stringify(thing)
  }</script><p>text`;

/** Assert the values of some attributes of a page. */
export function assertPageHas(html: string, expected: Readonly<Record<string, string>>): void {
  const found = pageAttributesOf(html);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected);
}
