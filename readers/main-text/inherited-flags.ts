import { isHiding, type StartTag } from '../html/index.ts';
import type { Tag } from './page-tags.ts';
import { Inherited } from './page-tree.ts';

const byTag: ReadonlyMap<string, number> = new Map([
  ['button', Inherited.button],
  ['form', Inherited.form],
  ['figure', Inherited.figure],
  ['figcaption', Inherited.figure],
  ['ul', Inherited.list],
  ['ol', Inherited.list],
  ['dl', Inherited.list],
  ['table', Inherited.table],
  ['nav', Inherited.nav],
  ['menu', Inherited.nav],
  ['dialog', Inherited.hidden],
  ['aside', Inherited.aside],
  ['header', Inherited.header],
  ['footer', Inherited.footer],
  ['article', Inherited.article],
  ['main', Inherited.main],
  ['blockquote', Inherited.quote],
  ['h1', Inherited.heading],
  ['h2', Inherited.heading],
  ['h3', Inherited.heading],
  ['h4', Inherited.heading],
  ['h5', Inherited.heading],
  ['h6', Inherited.heading],
  ['noscript', Inherited.fallback],
  ['pre', Inherited.preformatted],
  ['listing', Inherited.preformatted],
  ['xmp', Inherited.preformatted],
  ['plaintext', Inherited.preformatted],
]);

const byRole: ReadonlyMap<string, number> = new Map([
  ['navigation', Inherited.nav],
  ['menu', Inherited.nav],
  ['menubar', Inherited.nav],
  ['search', Inherited.nav],
  ['banner', Inherited.header],
  ['contentinfo', Inherited.footer],
  ['complementary', Inherited.aside],
  ['main', Inherited.main],
  ['article', Inherited.article],
  ['dialog', Inherited.hidden],
  ['button', Inherited.button],
]);

/** The flags that an element adds to its contents: bits of `Inherited`. */
export function inheritedOf(tag: Tag, start: StartTag): number {
  let bits = byTag.get(tag.name) ?? 0;
  const role = start.get('role');
  if (role !== undefined) bits |= byRole.get(role.trim().toLowerCase()) ?? 0;
  if (/\barticleBody\b/.test(start.get('itemprop') ?? '')) bits |= Inherited.articleBody;
  if (isHiding(start.get('hidden'), start.get('style')) || start.get('aria-hidden') === 'true')
    bits |= Inherited.hidden;
  return bits;
}
