import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { decodeText, StructuredText } from '../../../readers/text/index.ts';
import {
  ManMacros,
  ManualPage,
  MdocMacros,
  manStrings,
  mdocStrings,
  TroffReader,
} from '../../../readers/troff/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { summariseText } from '../text/text.ts';

/** Attributes of the summary of a manual page. */
export const manualPageAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The name and section, such as `printf(3)`, and the one-line description' },
  { name: 'Description', what: 'The one-line description of the NAME section' },
  { name: 'Keywords', what: 'The names that the page describes' },
  { name: 'Section', what: 'The section of the manual, such as `1` or `3pm`' },
  { name: 'Synopsis', what: 'The SYNOPSIS section: the usage of the command or function' },
  { name: 'Options', what: 'The options and other tagged words that the page explains' },
  { name: 'Author', what: 'The author of the program or the page, from the AUTHORS section' },
  { name: 'Date', what: 'The date of the page' },
  { name: 'Source', what: 'The package or system the page belongs to' },
  { name: 'See-Also', what: 'Other manual pages it names, such as `scanf(3)`' },
  { name: 'Headings', what: 'The headings of sections' },
];

const sniffed = 64 * 1024;

/**
 * Manual pages in troff, by the man macros or BSD's mdoc: each conventional section becomes an attribute of its own
 * (Harvest: synopsis, author and title from the macros). A page already formatted is read as text.
 */
export const summariseManPage: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset, manCoding(document.bytes));
  const start = source.slice(0, sniffed);
  const mdoc = /^[.'][ \t]*(?:Dd|Dt)\b/m.test(start) && !/^\.[ \t]*TH\b/m.test(start);
  if (!mdoc && !/^[.']/m.test(start)) return summariseText(document, options);
  const page = new ManualPage(new StructuredText(options));
  const sink = mdoc ? new MdocMacros(page) : new ManMacros(page);
  new TroffReader(source, sink, mdoc ? mdocStrings : manStrings).read();
  return page.extract(document);
};

/** The charset that `'\" -*- coding: latin-1 -*-` in the first lines names. */
function manCoding(bytes: Uint8Array): string | undefined {
  const start = latin1Start(bytes, 512);
  return /coding:\s*([\w.-]{2,30})/.exec(start)?.[1]?.replace(/-(?:unix|dos|mac)$/i, '');
}
