import type { DocumentInput } from './document.ts';

/** The kind of a block of a document; it decides the weight of its words and the ends of its sentences. */
export type BlockRole = 'heading' | 'paragraph' | 'item' | 'pre' | 'row' | 'quote';

/** A separate piece of a document's text. Lines are divided by `\n`. */
export interface Block {
  readonly role: BlockRole;
  readonly text: string;
  /** Of a heading, 1 is the highest; 2 when absent. */
  readonly level?: number;
}

/** How much of a document's text a summary holds, from all of it to nothing. */
export const summaryTexts = ['full', 'selected', 'terse', 'none'] as const;

export type SummaryText = (typeof summaryTexts)[number];

/** The part of a document's text that its summary holds, and its bounds. */
export interface SummariseOptions {
  /** `full`: all visible text; `selected`: the best sentences; `terse`: the best words; `none`: none. */
  readonly text: SummaryText;
  /** Max bytes of UTF-8 text in a summary. */
  readonly maxTextBytes: number;
  /** Max bytes of a document that are read; the rest is left out and noted. */
  readonly maxDocumentBytes: number;
}

/** Full text, at most 8 MiB of it, from the first 64 MiB of a document. */
export const defaultSummariseOptions: SummariseOptions = {
  text: 'full',
  maxTextBytes: 8 * 1024 * 1024,
  maxDocumentBytes: 64 * 1024 * 1024,
};

/** A document with its type, as a summariser gets it. */
export interface RecognisedDocument extends DocumentInput {
  readonly type: string;
  readonly mediaType: string;
  /** Named by the HTTP header. */
  readonly charset?: string;
}

/** A SOIF attribute in the making; the value is well-formed text. */
export type Field = readonly [name: string, value: string];

/** The text that a summariser read, before it is condensed. */
export interface ReadText {
  /** In reading order; a single one when all of it is wanted. */
  readonly blocks: readonly Block[];
  /** Whether there was more text than the limits allow. */
  readonly cut: boolean;
}

/** A summariser's findings in one document. Every field may be absent. */
export interface Extract {
  readonly title?: string;
  /** In the order they are to be printed; an empty value is dropped. */
  readonly fields: readonly Field[];
  /** Absent when there is none or none is wanted. */
  readonly text?: ReadText;
  /** Absolute URLs, each once; without fragment, except for documents beside it in an archive. */
  readonly references: readonly string[];
  /** The references that may be followed: http, https and file, not marked nofollow. */
  readonly links: readonly string[];
  /** Whether the document allows itself to be indexed. */
  readonly index: boolean;
  /** Whether the document allows its links to be followed. */
  readonly follow: boolean;
  /** Absolute URL the document names as its own. */
  readonly canonical?: string;
  /** Reasons why parts were left out, one sentence each; the same input gives the same notes. */
  readonly notes: readonly string[];
}

/** Describes an attribute of a summary, for docs/summarisers.md. */
export interface AttributeNote {
  readonly name: string;
  /** One sentence, without a full stop. */
  readonly what: string;
}
