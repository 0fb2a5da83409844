import type {
  AttributeNote,
  Extract,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { DviReader } from '../../../readers/dvi/index.ts';
import { addPages, titleOfPages } from '../../../readers/pages/index.ts';
import { joined, readableBytes, StructuredText, single } from '../../../readers/text/index.ts';

/** What a DVI file's summary holds. */
export const dviAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title given to hyperref, else the largest words on the first page' },
  { name: 'Author', what: 'The author given to hyperref' },
  { name: 'Abstract', what: 'The paragraph below the word Abstract' },
  { name: 'Keywords', what: 'The keywords given to hyperref' },
  { name: 'Pages', what: 'How many pages there are' },
  { name: 'Fonts', what: 'The TeX names of the fonts used' },
  { name: 'Comment', what: 'What the program that wrote the file says in its preamble' },
  { name: 'Headings', what: 'Lines larger than the text' },
];

/** DVI, what TeX writes: text with its hyphens mended and running heads dropped, fonts, pages and links. */
export function summariseDvi(document: RecognisedDocument, options: SummariseOptions): Extract {
  const text = new StructuredText(options);
  const content = new DviReader(document.bytes, 2 * readableBytes(options)).read();
  text.title = information(content.specials, 'Title') ?? titleOfPages(content.lines);
  for (const special of content.specials) {
    const link =
      /^html:\s*<a href="([^"]+)"/i.exec(special)?.[1] ?? /\/URI\s*\(([^()]+)\)/.exec(special)?.[1];
    if (link !== undefined) text.references.add(link, true);
  }
  const abstract = addPages(text, content.lines);
  if (content.damaged) text.notes.push('The file is cut short or damaged; what came before was read.');
  return text.extract(document, [
    single('Author', information(content.specials, 'Author')),
    single('Abstract', abstract),
    single('Keywords', information(content.specials, 'Keywords')),
    single('Pages', String(content.pages)),
    joined('Fonts', content.fonts),
    single('Comment', content.comment),
  ]);
}

// hyperref hands what it knows of the document to the drivers for PDF and PostScript.
function information(specials: readonly string[], key: string): string | undefined {
  for (const special of specials) {
    if (!/^(?:pdf:\s*docinfo|ps:SDict begin)/.test(special)) continue;
    const value = new RegExp(`/${key}\\s*\\(([^()]{1,1000})\\)`).exec(special)?.[1];
    if (value !== undefined && value.trim() !== '') return value.trim();
  }
  return undefined;
}
