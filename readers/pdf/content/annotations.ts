import type { PdfFile } from '../file/file.ts';
import { textOfString } from '../file/strings.ts';
import { nameOf, type PdfValue } from '../file/values.ts';
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
}

/** Kinds whose contents are no remark: a link's describe its target, a form field has a value instead. */
const mute: ReadonlySet<string> = new Set(['Link', 'Widget', 'Popup', 'PrinterMark', 'TrapNet', 'Watermark']);

/** The annotations of a page (ISO 32000 section 12.5). */
export function annotationsOf(file: PdfFile, page: PdfPage): PageAnnotations {
  const links: string[] = [];
  const remarks: string[] = [];
  const files: PdfValue[] = [];
  for (const reference of file.array(page.dictionary.get('Annots')).slice(0, maxPerPage)) {
    const annotation = file.dictionary(reference);
    const target = file.resolve(file.dictionary(annotation?.get('A'))?.get('URI'));
    if (typeof target === 'string' && target !== '') links.push(target);
    const kind = nameOf(file.resolve(annotation?.get('Subtype'))) ?? 'Link';
    if (annotation === undefined || mute.has(kind)) continue;
    const contents = file.resolve(annotation.get('Contents'));
    if (typeof contents === 'string' && contents.trim() !== '') remarks.push(textOfString(contents));
    const attached = annotation.get('FS');
    if (kind === 'FileAttachment' && attached !== undefined) files.push(attached);
  }
  return { links, remarks, files };
}

/** Whether the file has any annotations; without them its pages need not be asked one by one. */
export function mayAnnotate(file: PdfFile): boolean {
  const bytes = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.length);
  return bytes.includes('/Annots') || bytes.includes('/ObjStm');
}
