import { escapeHtml } from '../http/index.ts';
import type { AttributeValue, ViewNode } from './client/element.ts';

/** Whether this Accept field prefers a page, as browsers do, to JSON. */
export const wantsPage = (accept = ''): boolean =>
  /\btext\/html\b/.test(accept) && !/\bapplication\/json\b/.test(accept);

// Elements that HTML writes without an end tag.
const empty = new Set(['br', 'img', 'input', 'link', 'meta']);

/** Write a tree as HTML. No white space is added, so the browser reads back the same tree. */
export function html(node: ViewNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => attribute(name, value));
  const open = `<${node.tag}${attributes.join('')}>`;
  return empty.has(node.tag) ? open : `${open}${node.children.map(html).join('')}</${node.tag}>`;
}

function attribute(name: string, value: AttributeValue): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}=""` : ` ${name}="${escapeHtml(String(value))}"`;
}

/** JSON for a `<script type="application/json">`: no `<` can end the element early. */
export function scriptData(value: unknown): string {
  return JSON.stringify(value).replace(/</g, '\\u003c');
}
