import type {
  AttributeNote,
  Extract,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { addPages, type PageLine, titleOfPages } from '../../../readers/pages/index.ts';
import { readPdf } from '../../../readers/pdf/index.ts';
import { readPlainPostScript, readStructuringComments } from '../../../readers/postscript/index.ts';
import { joined, readableBytes, StructuredText, single } from '../../../readers/text/index.ts';
import { findProgram, runTool } from '../../programs/index.ts';

/** What a PostScript file's summary holds. */
export const postScriptAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title its comments name, else the largest words on the first page' },
  { name: 'For', what: 'For whom it was made, as its comments say' },
  { name: 'Abstract', what: 'The paragraph below the word Abstract' },
  { name: 'Creator', what: 'The program that wrote it' },
  { name: 'Creation-Date', what: 'When it was made, as written' },
  { name: 'Pages', what: 'How many pages there are' },
  { name: 'Fonts', what: 'The fonts its comments name' },
  { name: 'Language-Level', what: 'The level of the language it needs' },
  { name: 'Headings', what: 'Lines larger than the text' },
];

type Pages = readonly (readonly PageLine[])[];

// Titles that programs write and nobody means.
const meaningless =
  /^(?:untitled|\(null\)|<stdin>|stdin|.*\.(?:dvi|ps|eps|tex|me|ms|mm|roff|[1-9])|\S*\/\S*)$/i;

/**
 * PostScript: what its structuring comments say, and its text. Of what dvips and groff wrote our plain reader takes the
 * strings shown; other programs are run by Ghostscript where it is installed, with no access to files and bounded in
 * time and memory, and read plainly elsewhere.
 */
export async function summarisePostScript(
  document: RecognisedDocument,
  options: SummariseOptions,
): Promise<Extract> {
  const bytes = withoutPreview(document.bytes);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const comments = readStructuringComments(source);
  const text = new StructuredText(options);
  const characters = 2 * readableBytes(options);
  const creator = comments.creator ?? '';
  // What dvips and groff write is known so well that nothing is gained by running it.
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
    single('For', comments.for),
    single('Abstract', abstract),
    single('Creator', comments.creator),
    single('Creation-Date', comments.created),
    single('Pages', /^\d+/.exec(comments.pages ?? '')?.[0] ?? String(pages.length)),
    joined('Fonts', comments.fonts),
    single('Language-Level', comments.languageLevel),
  ]);
}

function plainPages(source: string, creator: string, characters: number): Pages | undefined {
  const { pages } = readPlainPostScript(source, creator, characters);
  return pages.length > 0 ? pages : undefined;
}

/** Ghostscript makes a PDF of it, whose text our PDF reader finds. Undefined when that gives nothing. */
async function ghostscriptPages(
  bytes: Uint8Array,
  characters: number,
  notes: string[],
): Promise<Pages | undefined> {
  // Starting it costs a fifth of a second and more: not for what only bears the name.
  if (!isProgram(bytes)) {
    notes.push('It does not begin as PostScript does: its text was taken without running it.');
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

// Printers' commands may stand before the program.
const beginSearched = 4096;

/** Whether a program begins near the start of a file. */
function isProgram(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, beginSearched)).includes('%!');
}

/** An EPS file of DOS may begin with a binary header that says where the program and its previews lie. */
function withoutPreview(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 30 || bytes[0] !== 0xc5 || bytes[1] !== 0xd0 || bytes[2] !== 0xd3) return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const start = view.getUint32(4, true);
  return bytes.subarray(start, start + view.getUint32(8, true));
}
