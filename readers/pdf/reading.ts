import type { PageLine } from '../pages/index.ts';
import type { PdfMetadata } from './content/metadata.ts';

/** The text and facts of a PDF, from either reader. */
export interface PdfReading {
  readonly metadata: PdfMetadata;
  readonly version?: string | undefined;
  readonly pages: number;
  readonly outline: readonly string[];
  /** Web addresses as written. */
  readonly links: readonly string[];
  /** Texts of notes and comments on the pages. */
  readonly remarks: readonly string[];
  /** The filled fields of a form, each as its name and value. */
  readonly values: readonly string[];
  /** Names of attached files. */
  readonly attachments: readonly string[];
  /** Lines of each page read. */
  readonly lines: readonly (readonly PageLine[])[];
  readonly encrypted: boolean;
  /** Pictures drawn on pages without any text. */
  readonly notes: readonly string[];
}

/** How much of a document's text is read. */
export interface PdfReadingLimits {
  /** Characters after which no further page is read; 0 reads only the first page. */
  readonly characters: number;
}
