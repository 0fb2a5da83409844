import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import type { PdfDictionary, PdfValue } from '../file/values.ts';
import type { PdfPage } from './pages.ts';

const maxEntries = 5000;
const maxDepth = 32;
const maxLinksPerPage = 2000;

/** The titles of the outline in order (ISO 32000 section 12.3.3); a repeated entry ends its list. */
export function outlineTitles(file: PdfFile): string[] {
  const titles: string[] = [];
  const seen = new Set<PdfDictionary>();
  const waiting: { readonly entry: PdfValue | undefined; readonly depth: number }[] = [];
  waiting.push({ entry: file.dictionary(file.catalog.get('Outlines'))?.get('First'), depth: 0 });
  for (let next = waiting.pop(); next !== undefined && titles.length < maxEntries; next = waiting.pop()) {
    const entry = file.dictionary(next.entry);
    if (entry === undefined || seen.has(entry) || seen.size > 4 * maxEntries) continue;
    seen.add(entry);
    const title = file.resolve(entry.get('Title'));
    if (typeof title === 'string') titles.push(textOfString(title).replace(/\s+/g, ' ').trim());
    waiting.push({ entry: entry.get('Next'), depth: next.depth });
    if (next.depth < maxDepth) waiting.push({ entry: entry.get('First'), depth: next.depth + 1 });
  }
  return titles.filter((title) => title !== '');
}

/** The web addresses a page links to, as written. */
export function linksOf(file: PdfFile, page: PdfPage): string[] {
  const links: string[] = [];
  for (const annotation of file.array(page.dictionary.get('Annots')).slice(0, maxLinksPerPage)) {
    const action = file.dictionary(file.dictionary(annotation)?.get('A'));
    const target = file.resolve(action?.get('URI'));
    if (typeof target === 'string' && target !== '') links.push(target);
  }
  return links;
}

/** Whether the file has any links; without links its objects need not be read one by one. */
export function mayLink(file: PdfFile): boolean {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length);
  return bytes.includes('/URI') || bytes.includes('/ObjStm');
}
