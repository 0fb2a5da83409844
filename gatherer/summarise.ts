import { createHash } from 'node:crypto';
import { Attributes } from '../soif/index.ts';
import { looksBinary } from './content-signatures.ts';
import { type DocumentInput, documentName } from './document.ts';
import { recognise } from './recognise.ts';
import { summaryReduced } from './summarise-events.ts';
import {
  defaultSummariseOptions,
  type Extract,
  type Field,
  type RecognisedDocument,
  type SummariseOptions,
  type Summary,
} from './summariser.ts';
import { summarisersByType } from './summarisers/by-type.ts';
import { robotsDirectives } from './summarisers/robots-directives.ts';

/** The attribute that says, in plain sentences, what a summary leaves out and why. */
export const summaryNote = 'Summary-Note';

/**
 * Summarise one document: recognise its type, extract what that type's summariser finds, add what is true of every
 * document (type, size, date, MD5). Never throws on content: what cannot be read gets the plain summary (name,
 * size, date, type) with a `Summary-Note`, and the event `garner:gatherer:summary-reduced` tells why.
 */
export function summarise(document: DocumentInput, options: Partial<SummariseOptions> = {}): Summary {
  const settled = { ...defaultSummariseOptions, ...options };
  const { type, mediaType, charset } = recognise(document);
  const recognised = { ...document, type, mediaType, ...(charset === undefined ? {} : { charset }) };
  const notes: string[] = [];
  const extract = extractOf(recognised, settled, notes);
  notes.push(...extract.notes);
  const header = robotsDirectives([], document.robots);
  const follow = extract.follow && header.follow;
  if (notes.length > 0) summaryReduced.publish({ url: document.url, type, reasons: notes });
  return {
    type,
    attributes: attributesOf(recognised, extract, notes),
    links: follow ? extract.links : [],
    index: extract.index && header.index,
    follow,
    ...(extract.canonical === undefined ? {} : { canonical: extract.canonical }),
  };
}

const nothing: Extract = { fields: [], references: [], links: [], index: true, follow: true, notes: [] };

function extractOf(document: RecognisedDocument, options: SummariseOptions, notes: string[]): Extract {
  const summariser = summarisersByType.get(document.type);
  if (summariser === undefined || document.bytes.length === 0) return nothing;
  if (looksBinary(document.bytes)) {
    notes.push(`Not summarised: the content is not ${document.type}.`);
    return nothing;
  }
  const whole = document.bytes.length <= options.maxDocumentBytes;
  if (!whole) notes.push(`Only the first ${options.maxDocumentBytes} bytes of the document were read.`);
  const bytes = whole ? document.bytes : document.bytes.subarray(0, options.maxDocumentBytes);
  try {
    return summariser({ ...document, bytes }, options);
  } catch (error) {
    notes.push(`Not summarised: ${error instanceof Error ? error.name : 'unknown error'} in its content.`);
    return nothing;
  }
}

// Short attributes first: whoever looks at a printed summary sees what it is before its text.
function attributesOf(document: RecognisedDocument, extract: Extract, notes: readonly string[]): Field[] {
  const { lastModified } = document;
  const attributes: Field[] = [
    [Attributes.title, extract.title ?? documentName(document)],
    ...extract.fields,
    [Attributes.type, document.type],
    [Attributes.fileSize, String(document.bytes.length)],
  ];
  if (lastModified !== undefined && Number.isFinite(lastModified) && lastModified >= 0)
    attributes.push([Attributes.lastModificationTime, String(Math.floor(lastModified))]);
  attributes.push([Attributes.md5, document.md5 ?? md5Of(document.bytes)]);
  if (notes.length > 0) attributes.push([summaryNote, notes.join('\n')]);
  if (extract.references.length > 0)
    attributes.push([Attributes.urlReferences, extract.references.join('\n')]);
  if (extract.text !== undefined) attributes.push(extract.text);
  return attributes.filter(([, value]) => value !== '');
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}
