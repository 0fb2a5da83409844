import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { addPages, type PageLine, titleOfPages } from '../../../readers/pages/index.ts';
import { readPdf } from '../../../readers/pdf/index.ts';
import { readPlainPostScript, readStructuringComments } from '../../../readers/postscript/index.ts';
import { fact, joined, readableBytes, StructuredText } from '../../../readers/text/index.ts';
import { findProgram, runTool } from '../../programs/index.ts';
import type { Summariser } from '../summariser.ts';

/** Attributes of a PostScript file's summary. */
export const postScriptAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title its comments name, else the largest words on the first page' },
  { name: 'For', what: 'The recipient that its comments name' },
  { name: 'Abstract', what: 'The paragraph below the word Abstract' },
  { name: 'Creator', what: 'The program that wrote it' },
  { name: 'Creation-Date', what: 'Date of creation, as written' },
  { name: 'Pages', what: 'Number of pages' },
  { name: 'Fonts', what: 'The fonts its comments name' },
  { name: 'Language-Level', what: 'The level of the language it needs' },
  { name: 'Headings', what: 'Lines larger than the text' },
];

type Pages = readonly (readonly PageLine[])[];

// Meaningless titles that programs write.
const meaningless =
  /^(?:untitled|\(null\)|<stdin>|stdin|.*\.(?:dvi|ps|eps|tex|me|ms|mm|roff|[1-9])|\S*\/\S*)$/i;

/**
 * PostScript: its structuring comments and its text. For output of dvips and groff our plain reader takes the shown
 * strings. Other programs are run by Ghostscript if it is installed, without access to files and with limits on time
 * and memory; else they are read plainly.
 */
export const summarisePostScript: Summariser = async (document, options) => {
  const bytes = withoutPreview(document.bytes);
  const source = latin1Start(bytes);
  const comments = readStructuringComments(source);
  const text = new StructuredText(options);
  const characters = 2 * readableBytes(options);
  const creator = comments.creator ?? '';
  // For output of dvips and groff, running it gains nothing.
  const known = /dvips|groff|grops/i.test(creator) ? plainPages(source, creator, characters) : undefined;
  const pages =
    known ??
    (await ghostscriptPages(bytes, characters, text.notes)) ??
    plainPages(source, creator, characters) ??
    [];
  text.title =
    comments.title === undefined || meaningless.test(comments.title) ? titleOfPages(pages) : comments.title;
  const abstract = addPages(text, pages);
  return text.extract(document, [
    fact('For', comments.for),
    fact('Abstract', abstract),
    fact('Creator', comments.creator),
    fact('Creation-Date', comments.created),
    fact('Pages', /^\d+/.exec(comments.pages ?? '')?.[0] ?? String(pages.length)),
    joined('Fonts', comments.fonts),
    fact('Language-Level', comments.languageLevel),
  ]);
};

function plainPages(source: string, creator: string, characters: number): Pages | undefined {
  const { pages } = readPlainPostScript(source, creator, characters);
  return pages.length > 0 ? pages : undefined;
}

/** Pages of the PDF that Ghostscript makes, read by our PDF reader. Undefined when there are none. */
async function ghostscriptPages(
  bytes: Uint8Array,
  characters: number,
  notes: string[],
): Promise<Pages | undefined> {
  // Starting it costs at least a fifth of a second: not for files that are PostScript only by name.
  if (!isProgram(bytes)) {
    notes.push('It does not begin like PostScript: its text was read without running it.');
    return undefined;
  }
  if (findProgram('gs') === undefined) {
    notes.push('Read without Ghostscript: some text may be missing.');
    return undefined;
  }
  const args = [
    '-q',
    '-dSAFER',
    '-dBATCH',
    '-dNOPAUSE',
    '-sDEVICE=pdfwrite',
    '-sstdout=%stderr',
    '-o',
    '%stdout',
    '-',
  ];
  try {
    const { lines } = readPdf(await runTool('gs', args, bytes), { characters });
    return lines.some((page) => page.length > 0) ? lines : undefined;
  } catch (error) {
    notes.push(`Ghostscript could not read it (${(error as Error).message}): some text may be missing.`);
    return undefined;
  }
}

// Printer commands may precede the program.
const beginSearched = 4096;

/** Whether a program begins near the start of a file. */
function isProgram(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, beginSearched)).includes('%!');
}

/** An EPS file of DOS may begin with a binary header with the places of the program and its previews. */
function withoutPreview(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 30 || bytes[0] !== 0xc5 || bytes[1] !== 0xd0 || bytes[2] !== 0xd3) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = view.getUint32(4, true);
  return bytes.subarray(start, start + view.getUint32(8, true));
}
