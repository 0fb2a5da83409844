import { failure } from '../../kernel/index.ts';
import { LineAssembler, type PageLine } from '../pages/index.ts';
import { annotationsOf, mayAnnotate } from './content/annotations.ts';
import { attachmentsOf } from './content/attachments.ts';
import { ContentInterpreter } from './content/content.ts';
import { formValues } from './content/form.ts';
import { readMetadata } from './content/metadata.ts';
import { outlineTitles } from './content/outline.ts';
import { contentOf, pagesOf } from './content/pages.ts';
import { pdfErrors } from './file/errors.ts';
import { PdfFile } from './file/file.ts';
import type { PdfStream, PdfValue } from './file/values.ts';
import { FontTable } from './fonts/font-table.ts';
import type { PdfReading, PdfReadingLimits } from './reading.ts';

const maxLinks = 50_000;
const maxAnnotations = 500_000;
/** Above this part of letters without meaning the text is not worth having. */
const unknownBorne = 0.2;

/**
 * Read a PDF without drawing anything: its objects, page tree, and the text of content streams. Throws
 * GATHERER_PDF_LOCKED when a password is needed, GATHERER_PDF_UNSURE when there are no pages, and
 * GATHERER_PDF_MUTE when many letters have no meaning in the file, which pdf.js may know.
 */
export function readPdf(bytes: Uint8Array, limits: PdfReadingLimits): PdfReading {
  const file = PdfFile.of(bytes);
  const assembler = new LineAssembler();
  const interpreter = new ContentInterpreter(
    file,
    new FontTable(file),
    assembler,
    file.catalog.has('StructTreeRoot'),
  );
  const lines: (readonly PageLine[])[] = [];
  const links = new Set<string>();
  const remarks: string[] = [];
  const described: PdfValue[] = [];
  const annotated = mayAnnotate(file);
  const notes: string[] = [];
  let pages = 0;
  let annotations = 0;
  let damaged = 0;
  for (const page of pagesOf(file)) {
    pages++;
    annotations += annotated ? file.array(page.dictionary.get('Annots')).length : 0;
    const drawn: PdfStream[] = [];
    if (annotated && links.size < maxLinks && annotations < maxAnnotations) {
      const found = annotationsOf(file, page);
      for (const link of found.links) links.add(link);
      remarks.push(...found.remarks);
      described.push(...found.files);
      drawn.push(...found.drawn);
    }
    const wanted = limits.characters === 0 ? pages === 1 : assembler.characters < limits.characters;
    if (!wanted || interpreter.exhausted) continue;
    try {
      interpreter.page(contentOf(file, page), page.resources);
    } catch {
      damaged++;
    }
    lines.push(assembler.take());
    for (const stream of drawn) remarks.push(drawnWords(file, stream, interpreter, assembler));
  }
  if (pages === 0) throw failure(pdfErrors.GATHERER_PDF_UNSURE, { reason: 'it has no pages' });
  if (interpreter.unknown > unknownBorne * interpreter.shown) throw failure(pdfErrors.GATHERER_PDF_MUTE, {});
  if (file.rebuilt) notes.push('The file is damaged; the readable part was read.');
  if (damaged > 0) notes.push(`${damaged} of ${pages} pages could not be read whole.`);
  if (interpreter.exhausted) notes.push('Later pages were left out: the pages draw too much.');
  return {
    metadata: readMetadata(file),
    version: file.version,
    pages,
    outline: outlineTitles(file),
    links: [...links],
    remarks,
    values: formValues(file),
    attachments: attachmentsOf(file, described).map(({ name }) => name),
    lines,
    encrypted: file.encrypted,
    notes,
  };
}

/** The words of an appearance, which has its own resources; none for one that cannot be read. */
function drawnWords(
  file: PdfFile,
  stream: PdfStream,
  interpreter: ContentInterpreter,
  assembler: LineAssembler,
): string {
  const content = interpreter.exhausted ? undefined : file.data(stream);
  const resources = file.dictionary(stream.dictionary.get('Resources'));
  if (content === undefined || resources === undefined) return '';
  try {
    interpreter.page(content, resources);
  } catch {
    // What was read before the fault is kept.
  }
  return assembler
    .take()
    .map(({ text }) => text)
    .join(' ');
}
