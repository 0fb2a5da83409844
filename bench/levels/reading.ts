import { basename } from 'node:path';
import { summariserOf } from '../../gatherer/index.ts';
import type { Block } from '../../readers/document/index.ts';

/** What the Gatherer's summariser reads of a document. */
export interface Reading {
  readonly title: string;
  /** The text that terse and selected summaries are made of: of a page its main text. */
  readonly blocks: readonly Block[];
  /** The text that a full summary holds. */
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
  if (summarise === undefined) throw new TypeError(`nobody summarises ${type}`);
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
