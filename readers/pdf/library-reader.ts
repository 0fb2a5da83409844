import { LineAssembler, type PageLine } from '../pages/index.ts';
import type { PdfMetadata } from './content/metadata.ts';
import { dateOfString } from './file/strings.ts';
import type { PdfReading, PdfReadingLimits } from './reading.ts';

const maxOutline = 5000;
const maxPages = 20_000;

/** Read a PDF with pdf.js, several times slower than Garner's reader. Throws the errors of pdf.js. */
export async function readPdfWithLibrary(bytes: Uint8Array, limits: PdfReadingLimits): Promise<PdfReading> {
  const { getResolvedPDFJS } = await import('unpdf');
  const { getDocument } = await getResolvedPDFJS();
  const task = getDocument({
    // pdf.js takes ownership of the buffer.
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    isEvalSupported: false,
    verbosity: 0,
  });
  try {
    const document = await task.promise;
    const lines: (readonly PageLine[])[] = [];
    const links = new Set<string>();
    const remarks: string[] = [];
    const values = new Set<string>();
    const assembler = new LineAssembler();
    for (let number = 1; number <= Math.min(document.numPages, maxPages); number++) {
      if (assembler.characters >= Math.max(1, limits.characters)) break;
      const page = await document.getPage(number);
      for (const item of (await page.getTextContent()).items) {
        if (!('str' in item)) continue;
        const [a, b, c, d, x, y] = item.transform as number[];
        const angle = Math.atan2(b ?? 0, a ?? 1);
        const [ux, uy] = [Math.cos(angle), Math.sin(angle)];
        assembler.show({
          text: item.str,
          x: (x ?? 0) * ux + (y ?? 0) * uy,
          y: (y ?? 0) * ux - (x ?? 0) * uy,
          width: item.width,
          size: Math.hypot(c ?? 0, d ?? 0),
          bold: false,
          direction: Math.round((angle * 36) / Math.PI),
          exact: true,
        });
      }
      for (const annotation of await page.getAnnotations()) {
        if (typeof annotation.url === 'string') links.add(annotation.url);
        const { subtype, contentsObj, fieldValue } = annotation;
        if (!/^(?:Link|Widget|Popup)$/.test(subtype) && contentsObj?.str) remarks.push(contentsObj.str);
        if (subtype === 'Widget' && annotation.password !== true)
          for (const value of [fieldValue].flat())
            if (typeof value === 'string' && value !== 'Off' && value.trim() !== '') values.add(value);
      }
      lines.push(assembler.take());
      page.cleanup();
    }
    const { info } = await document.getMetadata();
    const facts = info as Readonly<Record<string, unknown>>;
    const version = facts.PDFFormatVersion;
    return {
      metadata: metadataOf(facts),
      version: typeof version === 'string' ? version : undefined,
      pages: document.numPages,
      outline: titlesOf(await document.getOutline()),
      links: [...links],
      remarks,
      values: [...values],
      attachments: Object.values<{ filename: string }>((await document.getAttachments()) ?? {}).map(
        ({ filename }) => filename,
      ),
      lines,
      encrypted: facts.EncryptFilterName !== null && facts.EncryptFilterName !== undefined,
      notes: [],
    };
  } finally {
    await task.destroy();
  }
}

function metadataOf(info: Readonly<Record<string, unknown>>): PdfMetadata {
  const text = (key: string, name: string) => {
    const value = info[key];
    return typeof value === 'string' && value.trim() !== '' ? { [name]: value } : {};
  };
  const date = (key: string, name: string) => {
    const value = dateOfString(String(info[key] ?? ''));
    return value === undefined ? {} : { [name]: value };
  };
  return {
    ...text('Title', 'title'),
    ...text('Subject', 'subject'),
    ...text('Creator', 'creator'),
    ...text('Producer', 'producer'),
    ...text('Language', 'language'),
    ...date('CreationDate', 'created'),
    ...date('ModDate', 'modified'),
    authors: typeof info.Author === 'string' && info.Author !== '' ? [info.Author] : [],
    keywords: typeof info.Keywords === 'string' ? info.Keywords.split(/[,;]/) : [],
  };
}

interface OutlineEntry {
  readonly title: string;
  readonly items: readonly OutlineEntry[];
}

function titlesOf(outline: readonly OutlineEntry[] | null): string[] {
  const titles: string[] = [];
  const waiting = [...(outline ?? [])].reverse();
  for (let entry = waiting.pop(); entry !== undefined && titles.length < maxOutline; entry = waiting.pop()) {
    if (entry.title.trim() !== '') titles.push(entry.title.trim());
    waiting.push(...[...(entry.items ?? [])].reverse());
  }
  return titles;
}
