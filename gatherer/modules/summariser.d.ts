// The types of a summariser module: import type { Summarise } from 'garner/summariser'.

/** One value. */
export type FieldValue = string | number | boolean;

/** The content of one attribute: a value, a list of values (one line each), or nothing. */
export type FieldValues = FieldValue | readonly FieldValue[] | null | undefined;

/** Attributes by name, or as pairs in the order of printing. */
export type Fields =
  | { readonly [name: string]: FieldValues }
  | readonly (readonly [name: string, values: FieldValues])[];

/** The document to summarise. Its content comes from elsewhere: do not trust it. */
export interface SummarisedDocument {
  /** Absolute URL; that of a document inside another has its path as fragment. */
  readonly url: string;
  /** File name or last path segment; may be empty. */
  readonly name: string;
  /** As Garner recognised it: `HTML`, or a type of your own. */
  readonly type: string;
  /** Such as `text/html`. */
  readonly mediaType: string;
  /** The whole document; a copy, which may be changed. */
  readonly bytes: Uint8Array;
  /** Seconds since 1970; absent when unknown. */
  readonly lastModified?: number;
  /** The values that Garner and your line patterns found; with `mode: replace` the title is the name. */
  readonly fields: { readonly [name: string]: string | undefined };
  /** The document as text, decoded by its declared charset. */
  text(): string;
}

/**
 * A summariser module exports this function under the name `summarise`. Its fields are added to Garner's and win where
 * both have one. When it throws or returns anything else, the summary has a `Summary-Note` instead.
 */
export type Summarise = (document: SummarisedDocument) => Fields | Promise<Fields>;
