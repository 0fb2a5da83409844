import { readRcsFile, readSccsFile } from '../../../readers/code/index.ts';
import type { AttributeNote, Extract, RecognisedDocument } from '../../../readers/document/index.ts';
import { decodeText, eachOf, fact, joined, oneLine, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of an RCS or SCCS file. */
export const revisionHistoryAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The name of the file whose history it is' },
  { name: 'Description', what: 'Its description' },
  { name: 'Head', what: 'The number of the newest revision' },
  { name: 'Revisions', what: 'Number of revisions' },
  { name: 'Author', what: 'The authors of the revisions' },
  { name: 'Date', what: 'The date of the newest revision' },
  { name: 'First-Date', what: 'The date of the oldest revision' },
  { name: 'Symbols', what: 'Names of tags and their revisions' },
  { name: 'Log', what: 'The messages of the newest revisions, one per line' },
];

const maxLog = 8 * 1024;

/** RCS files (`name,v`): revisions, authors, dates, log messages, tags; the text is the newest revision. */
export const summariseRcs: SyncSummariser = (document, options) => {
  const file = readRcsFile(decodeText(document.bytes, document.charset));
  const text = new StructuredText(options);
  if (file.cut) text.notes.push('The file ends within a revision.');
  return history(document, text, document.name.replace(/,v$/, ''), {
    ...file,
    revisions: file.revisions.map(({ log, ...revision }) => ({ ...revision, comment: log })),
  });
};

/** SCCS files (`s.name`): deltas, authors, dates, comments; the text is the newest revision. */
export const summariseSccs: SyncSummariser = (document, options) => {
  const file = readSccsFile(decodeText(document.bytes, document.charset));
  return history(document, new StructuredText(options), document.name.replace(/^s\./, ''), {
    ...file,
    head: file.deltas[0]?.number ?? '',
    revisions: file.deltas,
    symbols: [],
  });
};

interface History {
  readonly head: string;
  readonly description: string;
  readonly symbols: readonly string[];
  readonly text: string;
  readonly revisions: readonly {
    readonly number: string;
    readonly date: string;
    readonly author: string;
    readonly comment: string;
  }[];
}

function history(document: RecognisedDocument, text: StructuredText, name: string, file: History): Extract {
  const { revisions } = file;
  const dates = revisions
    .map(({ date }) => date)
    .filter(Boolean)
    .sort();
  text.title = name;
  text.paragraph(file.description);
  let log = '';
  for (const { comment } of revisions) {
    const line = oneLine(comment);
    if (log.length < maxLog && line !== '') log += `${log === '' ? '' : '\n'}${line}`;
    text.paragraph(line);
  }
  for (const paragraph of file.text.split(/\n\s*\n/)) text.lines(paragraph);
  return text.extract(document, [
    fact('Description', file.description),
    fact('Head', file.head || revisions[0]?.number),
    ['Revisions', String(revisions.length)],
    ...eachOf('Author', new Set(revisions.map(({ author }) => author))),
    fact('Date', dates.at(-1)),
    fact('First-Date', dates[0]),
    joined('Symbols', file.symbols),
    ['Log', log],
  ]);
}
