import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import { nameOf, type PdfDictionary, PdfStream, type PdfValue } from '../file/values.ts';
import type { PdfPage } from './pages.ts';

const maxPerPage = 2000;

/** What people and programs have laid over a page. */
export interface PageAnnotations {
  /** Web addresses as written. */
  readonly links: readonly string[];
  /** Texts of notes, comments and marks, in order. */
  readonly remarks: readonly string[];
  /** Descriptions of attached files. */
  readonly files: readonly PdfValue[];
  /** What notes and form fields draw that have no words of their own, such as stamps. */
  readonly drawn: readonly PdfStream[];
}

/** Kinds whose contents are no remark: a link's describe its target, a form field has a value instead. */
const mute: ReadonlySet<string> = new Set(['Link', 'Widget', 'Popup', 'PrinterMark', 'TrapNet', 'Watermark']);

/** The annotations of a page (ISO 32000 section 12.5). */
export function annotationsOf(file: PdfFile, page: PdfPage): PageAnnotations {
  const links: string[] = [];
  const remarks: string[] = [];
  const files: PdfValue[] = [];
  const drawn: PdfStream[] = [];
  for (const reference of file.array(page.dictionary.get('Annots')).slice(0, maxPerPage)) {
    const annotation = file.dictionary(reference);
    const target = file.resolve(file.dictionary(annotation?.get('A'))?.get('URI'));
    if (typeof target === 'string' && target !== '') links.push(target);
    const kind = nameOf(file.resolve(annotation?.get('Subtype'))) ?? 'Link';
    if (annotation === undefined) continue;
    const appearance = appearanceOf(file, annotation, kind);
    if (appearance !== undefined) drawn.push(appearance);
    if (mute.has(kind)) continue;
    const contents = file.resolve(annotation.get('Contents'));
    if (typeof contents === 'string' && contents.trim() !== '') remarks.push(textOfString(contents));
    const attached = annotation.get('FS');
    if (kind === 'FileAttachment' && attached !== undefined) files.push(attached);
  }
  return { links, remarks, files, drawn };
}

const hidden = 0b10_0010;

/** The appearance of an annotation that is shown and has no text but what it draws; of fields, those for text. */
function appearanceOf(file: PdfFile, annotation: PdfDictionary, kind: string): PdfStream | undefined {
  const of = (key: string) => annotation.get(key) ?? file.dictionary(annotation.get('Parent'))?.get(key);
  const isText = kind === 'Widget' && /^(?:Tx|Ch)$/.test(nameOf(file.resolve(of('FT'))) ?? '');
  if (mute.has(kind) && !isText) return undefined;
  if (((file.number(annotation.get('F')) ?? 0) & hidden) !== 0) return undefined;
  const own = file.resolve(of(isText ? 'V' : 'Contents')) ?? '';
  if (typeof own !== 'string' || own.trim() !== '') return undefined;
  const normal = file.resolve(file.dictionary(annotation.get('AP'))?.get('N'));
  return normal instanceof PdfStream ? normal : undefined;
}

/** Whether the file has any annotations; without them its pages need not be asked one by one. */
export function mayAnnotate(file: PdfFile): boolean {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length);
  return bytes.includes('/Annots') || bytes.includes('/ObjStm');
}
