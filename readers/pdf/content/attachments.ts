import { isGarnerError } from '../../../kernel/index.ts';
import { pdfErrors } from '../file/errors.ts';
import { PdfFile } from '../file/file.ts';
import { dateOfString, textOfString } from '../file/strings.ts';
import { type PdfDictionary, PdfStream, type PdfValue } from '../file/values.ts';
import { annotationsOf } from './annotations.ts';
import { pagesOf } from './pages.ts';

const maxFiles = 10_000;
const maxNodes = 20_000;

/** A file that a PDF carries. */
export interface PdfAttachment {
  /** Without folders. */
  readonly name: string;
  /** Seconds since 1970. */
  readonly modified?: number;
  /** Its bytes; throws GATHERER_PDF_UNSURE when the file unfolds to too much. */
  read(): Uint8Array;
}

/** The files attached to a document or to places on its pages (ISO 32000 section 7.11.4), each once. */
export function pdfAttachments(bytes: Uint8Array): readonly PdfAttachment[] {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!whole.includes('/EmbeddedFile') && !whole.includes('/ObjStm')) return [];
  try {
    const file = PdfFile.of(bytes);
    const onPages = whole.includes('/FileAttachment') || whole.includes('/ObjStm');
    return attachmentsOf(
      file,
      onPages ? [...pagesOf(file)].flatMap((page) => annotationsOf(file, page).files) : [],
    );
  } catch (error) {
    // The reader of the text reports a lock.
    if (isGarnerError(error, pdfErrors.GATHERER_PDF_LOCKED)) return [];
    throw error;
  }
}

/** The files that the catalogue names, and those that annotations describe. */
export function attachmentsOf(file: PdfFile, described: readonly PdfValue[]): readonly PdfAttachment[] {
  const names = file.dictionary(file.catalog.get('Names'));
  const found: PdfAttachment[] = [];
  const seen = new Set<PdfStream>();
  for (const description of [...namedFiles(file, names?.get('EmbeddedFiles')), ...described]) {
    const specification = file.dictionary(description);
    const embedded = file.dictionary(specification?.get('EF'));
    const stream = file.resolve(embedded?.get('UF') ?? embedded?.get('F') ?? embedded?.values().next().value);
    if (specification === undefined || !(stream instanceof PdfStream) || seen.has(stream)) continue;
    seen.add(stream);
    if (found.length < maxFiles) found.push(attachment(file, specification, stream));
  }
  return found;
}

/** The values of a tree of names; loops end. */
function* namedFiles(file: PdfFile, root: PdfValue | undefined): Generator<PdfValue> {
  const seen = new Set<PdfDictionary>();
  const waiting = [root];
  while (waiting.length > 0 && seen.size < maxNodes) {
    const node = file.dictionary(waiting.pop());
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    for (const [at, value] of file.array(node.get('Names')).entries()) if (at % 2 === 1) yield value;
    waiting.push(...file.array(node.get('Kids')).slice(0, maxNodes).reverse());
  }
}

function attachment(file: PdfFile, specification: PdfDictionary, stream: PdfStream): PdfAttachment {
  const written = file.resolve(specification.get('UF')) ?? file.resolve(specification.get('F'));
  const path = typeof written === 'string' ? textOfString(written) : '';
  const parameters = file.dictionary(stream.dictionary.get('Params'));
  const date = file.resolve(parameters?.get('ModDate'));
  const modified = Date.parse(typeof date === 'string' ? (dateOfString(date) ?? '') : '') / 1000;
  return {
    name: path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).trim() || 'attachment',
    ...(Number.isFinite(modified) && modified > 0 ? { modified } : {}),
    read: () => file.data(stream) ?? new Uint8Array(),
  };
}
