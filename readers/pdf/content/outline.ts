import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import type { PdfDictionary, PdfValue } from '../file/values.ts';

const maxEntries = 5000;
const maxDepth = 32;

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
