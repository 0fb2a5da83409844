import type { AttributeNote } from '../../../readers/document/index.ts';
import { DviReader } from '../../../readers/dvi/index.ts';
import { addPages, titleOfPages } from '../../../readers/pages/index.ts';
import { fact, joined, readableBytes, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of a DVI file's summary. */
export const dviAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title given to hyperref, else the largest words on the first page' },
  { name: 'Author', what: 'The author given to hyperref' },
  { name: 'Abstract', what: 'The paragraph below the word Abstract' },
  { name: 'Keywords', what: 'The keywords given to hyperref' },
  { name: 'Pages', what: 'Number of pages' },
  { name: 'Fonts', what: 'The TeX names of the fonts used' },
  { name: 'Comment', what: 'Comment of the writing program in the preamble' },
  { name: 'Headings', what: 'Lines larger than the text' },
];

/** DVI, the output of TeX: text without end-of-line hyphens and running heads, fonts, pages and links. */
export const summariseDvi: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const content = new DviReader(document.bytes, 2 * readableBytes(options)).read();
  text.title = information(content.specials, 'Title') ?? titleOfPages(content.lines);
  for (const special of content.specials) {
    const link =
      /^html:\s*<a href="([^"]+)"/i.exec(special)?.[1] ?? /\/URI\s*\(([^()]+)\)/.exec(special)?.[1];
    if (link !== undefined) text.references.add(link, true);
  }
  const abstract = addPages(text, content.lines);
  if (content.damaged) text.notes.push('The file is truncated or damaged; the part before was read.');
  return text.extract(document, [
    fact('Author', information(content.specials, 'Author')),
    fact('Abstract', abstract),
    fact('Keywords', information(content.specials, 'Keywords')),
    fact('Pages', content.pages),
    joined('Fonts', content.fonts),
    fact('Comment', content.comment),
  ]);
};

// hyperref writes the document's properties for the drivers of PDF and PostScript.
function information(specials: readonly string[], key: string): string | undefined {
  for (const special of specials) {
    if (!/^(?:pdf:\s*docinfo|ps:SDict begin)/.test(special)) continue;
    const value = new RegExp(`/${key}\\s*\\(([^()]{1,1000})\\)`).exec(special)?.[1];
    if (value !== undefined && value.trim() !== '') return value.trim();
  }
  return undefined;
}
