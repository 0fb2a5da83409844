import type { AttributeNote } from '../../../readers/document/index.ts';
import { decodeText, eachOf, fact, StructuredText } from '../../../readers/text/index.ts';
import { PaperMacros, paperStrings, TroffReader } from '../../../readers/troff/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { summariseManPage } from './man-page.ts';

/** Attributes of the summary of a troff paper. */
export const troffAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title (`.TL`; in me the first centred lines), else the first heading' },
  { name: 'Author', what: 'The authors (`.AU`), numbered when there are several' },
  { name: 'Institution', what: 'The institutions of the authors (`.AI`, mm `.AF`)' },
  { name: 'Abstract', what: 'The abstract (`.AB` to `.AE`, mm `.AS`)' },
  { name: 'Description', what: 'Without an abstract, the first paragraph' },
  { name: 'Date', what: 'The date that the paper names (`.DA`, `.ND`)' },
  { name: 'Headings', what: 'The headings of sections' },
];

const sniffed = 64 * 1024;

/**
 * Papers in troff by the ms, me or mm macros, or by none (Harvest: author and title by the macros). Equations, pictures
 * and formatting are left out; tables are read row by row. A manual page under another name is read as one.
 */
export const summariseTroff: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset);
  if (/^[.'][ \t]*(?:TH\s+\S+\s+"?\d|Dd\s|Dt\s)/m.test(source.slice(0, sniffed)))
    return summariseManPage(document, options);
  const text = new StructuredText(options);
  const macros = new PaperMacros(text);
  new TroffReader(source, macros, paperStrings).read();
  macros.end();
  return text.extract(document, [
    ...eachOf('Author', macros.authors),
    ...eachOf('Institution', macros.institutions),
    ['Abstract', macros.abstract],
    fact('Description', macros.abstract === '' ? text.lead : undefined),
    fact('Date', macros.date),
  ]);
};
