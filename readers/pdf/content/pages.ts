import type { PdfFile } from '../file/file.ts';
import { nameOf, type PdfDictionary, PdfReference, PdfStream, type PdfValue } from '../file/values.ts';

const maxPages = 200_000;
const maxDepth = 64;
const maxKids = 1_000_000;

/** A page with what it inherits from the nodes above it. */
export interface PdfPage {
  readonly dictionary: PdfDictionary;
  readonly resources: PdfDictionary;
}

/** The pages in order (ISO 32000 7.7.3), a loop cut; without a tree every page object of the file. */
export function* pagesOf(file: PdfFile): Generator<PdfPage> {
  let found = false;
  for (const page of treePages(file)) {
    found = true;
    yield page;
  }
  if (found) return;
  for (const number of file.numbers) {
    const dictionary = file.dictionary(new PdfReference(number, 0));
    if (nameOf(dictionary?.get('Type')) === 'Page' && dictionary !== undefined)
      yield { dictionary, resources: file.dictionary(dictionary.get('Resources')) ?? new Map() };
  }
}

function* treePages(file: PdfFile): Generator<PdfPage> {
  const seen = new Set<number>();
  const waiting: {
    readonly node: PdfValue;
    readonly resources: PdfValue | undefined;
    readonly depth: number;
  }[] = [];
  const root = file.catalog.get('Pages');
  if (root !== undefined) waiting.push({ node: root, resources: undefined, depth: 0 });
  let pages = 0;
  let kidsSeen = 0;
  for (let next = waiting.pop(); next !== undefined && pages < maxPages; next = waiting.pop()) {
    const { node, depth } = next;
    if (node instanceof PdfReference) {
      if (seen.has(node.number)) continue;
      seen.add(node.number);
    }
    const dictionary = file.dictionary(node);
    if (dictionary === undefined || depth > maxDepth) continue;
    const resources = dictionary.get('Resources') ?? next.resources;
    if (!dictionary.has('Kids')) {
      pages++;
      yield { dictionary, resources: file.dictionary(resources) ?? new Map() };
      continue;
    }
    const kids = file.array(dictionary.get('Kids'));
    kidsSeen += kids.length;
    // Nodes that share one list of kids would multiply it.
    if (kidsSeen > maxKids) break;
    for (let at = kids.length - 1; at >= 0; at--)
      waiting.push({ node: kids[at] ?? null, resources, depth: depth + 1 });
  }
}

/** A page's content; several streams are joined by white space. */
export function contentOf(file: PdfFile, page: PdfPage): Uint8Array {
  const contents = file.resolve(page.dictionary.get('Contents'));
  const streams =
    contents instanceof PdfStream ? [contents] : file.array(contents).map((item) => file.resolve(item));
  const parts: Uint8Array[] = [];
  for (const stream of streams) {
    const data = stream instanceof PdfStream ? file.data(stream) : undefined;
    if (data !== undefined) parts.push(data, Uint8Array.of(10));
  }
  return parts.length === 2 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}
