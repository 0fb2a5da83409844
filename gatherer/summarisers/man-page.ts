import type { Extract, RecognisedDocument, SummariseOptions } from '../summariser.ts';
import { decodeText } from './charset.ts';
import { ManualPage } from './manual-page.ts';
import { StructuredText } from './structured-text.ts';
import { summariseText } from './text.ts';
import { ManMacros, manStrings } from './troff/man-macros.ts';
import { MdocMacros, mdocStrings } from './troff/mdoc-macros.ts';
import { TroffReader } from './troff/troff-reader.ts';

const sniffed = 64 * 1024;

/**
 * Manual pages in troff, by the man macros or BSD's mdoc: what each conventional section says becomes an attribute
 * of its own (Harvest: synopsis, author and title from the macros). A page already formatted is read as text.
 */
export function summariseManPage(document: RecognisedDocument, options: SummariseOptions): Extract {
  const source = decodeText(document.bytes, document.charset, manCoding(document.bytes));
  const start = source.slice(0, sniffed);
  const mdoc = /^[.'][ \t]*(?:Dd|Dt)\b/m.test(start) && !/^\.[ \t]*TH\b/m.test(start);
  if (!mdoc && !/^[.']/m.test(start)) return summariseText(document, options);
  const page = new ManualPage(new StructuredText(options));
  const sink = mdoc ? new MdocMacros(page) : new ManMacros(page);
  new TroffReader(source, sink, mdoc ? mdocStrings : manStrings).read();
  return page.extract(document);
}

/** The charset that `'\" -*- coding: latin-1 -*-` in the first lines names. */
function manCoding(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1');
  return /coding:\s*([\w.-]{2,30})/.exec(start)?.[1]?.replace(/-(?:unix|dos|mac)$/i, '');
}
