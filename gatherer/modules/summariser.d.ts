// What a summariser module is written against: import type { Summarise } from 'garner/summariser'.

/** One value. */
export type FieldValue = string | number | boolean;

/** What a document says under one name: a value, a list of them (one line each), or nothing. */
export type FieldValues = FieldValue | readonly FieldValue[] | null | undefined;

/** Attributes by name, or as pairs in the order in which they are to be printed. */
export type Fields =
  | { readonly [name: string]: FieldValues }
  | readonly (readonly [name: string, values: FieldValues])[];

/** The document that is to be summarised. What it holds is somebody else's: believe nothing of it. */
export interface SummarisedDocument {
  /** Absolute URL; that of a document inside another has its path as fragment. */
  readonly url: string;
  /** File name or last path segment; may be empty. */
  readonly name: string;
  /** As Garner told it: `HTML`, or a type of your own. */
  readonly type: string;
  /** As in `text/html`. */
  readonly mediaType: string;
  /** The whole document; a copy, which may be changed. */
  readonly bytes: Uint8Array;
  /** Seconds since 1970; absent when nobody knows. */
  readonly lastModified?: number;
  /** What Garner and your line patterns found, by attribute name; with `mode: replace` the title is the name. */
  readonly fields: { readonly [name: string]: string | undefined };
  /** The document as text, decoded as it says it is. */
  text(): string;
}

/**
 * What a summariser module exports under the name `summarise`. Its fields are added to Garner's and win where both have
 * one. When it throws, or returns anything else, the summary has a `Summary-Note` instead.
 */
export type Summarise = (document: SummarisedDocument) => Fields | Promise<Fields>;
