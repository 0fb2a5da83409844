import { basename } from 'node:path';
import { summariserOf } from '../../gatherer/index.ts';
import type { Block } from '../../readers/document/index.ts';

/** The text that the Gatherer's summariser reads from a document. */
export interface Reading {
  readonly title: string;
  /** The source of terse and selected summaries: the main text of a page. */
  readonly blocks: readonly Block[];
  /** The text of a full summary. */
  readonly text: string;
  readonly references: readonly string[];
}

const mediaTypes = { HTML: 'text/html', PDF: 'application/pdf', PostScript: 'application/postscript' };
const bounds = { maxTextBytes: 64 * 1024 * 1024, maxDocumentBytes: 64 * 1024 * 1024 };

/** Read a document as the Gatherer does. Rejects when its summariser cannot read it. */
export async function readDocument(
  type: keyof typeof mediaTypes,
  url: string,
  bytes: Uint8Array,
): Promise<Reading> {
  const summarise = await summariserOf(type)?.load();
  if (summarise === undefined) throw new TypeError(`no summariser for ${type}`);
  const document = { url, name: basename(url), bytes, type, mediaType: mediaTypes[type] };
  const { title = '', text, references } = await summarise(document, { ...bounds, text: 'selected' });
  const whole = await summarise(document, { ...bounds, text: 'full' });
  return {
    title,
    blocks: text?.blocks ?? [],
    text: (whole.text?.blocks ?? []).map((block) => block.text).join('\n'),
    references,
  };
}
