import type { AttributeNote } from '../../../readers/document/index.ts';
import { OrgReader } from '../../../readers/markup/index.ts';
import {
  decodeText,
  eachOf,
  fact,
  joined,
  languageTag,
  StructuredText,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of an Org document. */
export const orgAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'Its `#+TITLE`, else its first headline' },
  { name: 'Author', what: 'Its `#+AUTHOR`; several are numbered' },
  { name: 'Description', what: 'Its `#+DESCRIPTION` or `#+SUBTITLE`, else its first paragraph' },
  { name: 'Keywords', what: 'Its `#+KEYWORDS` and `#+FILETAGS`, and the tags of its headlines' },
  { name: 'Date', what: 'Its `#+DATE`, as written' },
  { name: 'Language', what: 'Its `#+LANGUAGE`' },
  { name: 'Headings', what: 'Its headlines, without states, priorities and tags' },
  { name: 'URL-References', what: 'The addresses it links to' },
  { name: 'Full-Text', what: 'Its text, code and tables, without marks, drawers and comments' },
];

/** Org: keywords, headlines, text without marks, code, tables and links. */
export const summariseOrg: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const reader = new OrgReader(text);
  reader.read(decodeText(document.bytes, document.charset).split(/\r\n?|\n/));
  // Several lines of one keyword are one value.
  const value = (name: string) => reader.values(name).join(' ');
  text.title = value('title') || undefined;
  const own = [...reader.values('filetags').flatMap((list) => list.split(':'))];
  return text.extract(document, [
    ...eachOf(
      'Author',
      reader.values('author').flatMap((list) => list.split(/\s+and\s+|;/)),
    ),
    fact('Description', value('description') || value('subtitle') || text.lead),
    joined('Keywords', [...value('keywords').split(/[,;]/), ...own, ...reader.tags]),
    fact('Date', value('date').replace(/^[<[](\d{4}-\d\d-\d\d)\b.*[>\]]$/, '$1')),
    fact('Language', languageTag(value('language'))),
  ]);
};
