import type {
  AttributeNote,
  Extract,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { bareSubject } from '../../../readers/mail/index.ts';
import { joined, readHeaderFields, StructuredText, single } from '../../../readers/text/index.ts';
import { addBody, firstLines, mailFields, parsed, summariseMail } from './mail.ts';

/** What the summary of a news article holds beside what that of a mail message does. */
export const newsAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The subject, without the mark of a reply' },
  { name: 'Author', what: 'The name of who posted it, else the address' },
  { name: 'From', what: 'Name and address of who posted it' },
  { name: 'Newsgroups', what: 'The newsgroups it was posted to' },
  { name: 'Followup-To', what: 'Where answers go' },
  { name: 'Distribution', what: 'How far it spreads' },
  { name: 'Date', what: 'When it was posted, in ISO 8601 and UTC' },
  { name: 'Organization', what: 'The organisation of who posted it' },
  { name: 'Keywords', what: 'Its keywords' },
  { name: 'Description', what: 'Its `Summary`' },
  { name: 'Message-Id', what: 'Its identifier, without angle brackets' },
  { name: 'References', what: 'Identifiers of the articles before it in the thread' },
  { name: 'Archive-Name', what: 'Of a posting to news.answers: where it is kept' },
  { name: 'Posting-Frequency', what: 'Of a posting to news.answers: how often it comes' },
  { name: 'Version', what: 'Of a posting to news.answers: its version' },
];

/** News articles (RFC 5536): header fields, text without what it quotes, the auxiliary header of news.answers. */
export async function summariseNews(
  document: RecognisedDocument,
  options: SummariseOptions,
): Promise<Extract> {
  const email = await parsed(firstLines(document.bytes));
  if (email === undefined) return summariseMail(document, options);
  const text = new StructuredText(options);
  text.title = bareSubject(email.subject);
  addBody(email, document, options, text);
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
  // The body of a FAQ begins with a header of its own.
  const auxiliary = readHeaderFields(
    (email.text ?? '')
      .slice(0, 16 * 1024)
      .trimStart()
      .split(/\r?\n/),
  ).fields;
  const also = (name: string) => (auxiliary.size >= 2 ? auxiliary.get(name)?.[0] : undefined);
  return text.extract(document, [
    joined('Newsgroups', (header('newsgroups') ?? '').split(',')),
    single('Followup-To', header('followup-to')),
    single('Distribution', header('distribution')),
    ...mailFields(email),
    single('Archive-Name', also('archive-name') ?? header('archive-name')),
    single('Posting-Frequency', also('posting-frequency')),
    single('Version', also('version')),
  ]);
}
