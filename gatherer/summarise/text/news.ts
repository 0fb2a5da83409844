import type { AttributeNote } from '../../../readers/document/index.ts';
import { bareSubject } from '../../../readers/mail/index.ts';
import { fact, joined, readHeaderFields, StructuredText } from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';
import { addBody, firstLines, mailFields, parsed, summariseMail } from './mail.ts';

/** Attributes of the summary of a news article, besides those of a mail message. */
export const newsAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The subject, without the mark of a reply' },
  { name: 'Author', what: 'The sender’s name, else the address' },
  { name: 'From', what: 'Name and address of the sender' },
  { name: 'Newsgroups', what: 'The newsgroups it was posted to' },
  { name: 'Followup-To', what: 'The newsgroups for replies' },
  { name: 'Distribution', what: 'Its area of distribution' },
  { name: 'Date', what: 'Date of posting, in ISO 8601 and UTC' },
  { name: 'Organization', what: 'The organisation of the sender' },
  { name: 'Keywords', what: 'Its keywords' },
  { name: 'Description', what: 'Its `Summary`' },
  { name: 'Message-Id', what: 'Its identifier, without angle brackets' },
  { name: 'References', what: 'Identifiers of the articles before it in the thread' },
  { name: 'Archive-Name', what: 'Of a posting to news.answers: its name in the archive' },
  { name: 'Posting-Frequency', what: 'Of a posting to news.answers: its frequency' },
  { name: 'Version', what: 'Of a posting to news.answers: its version' },
];

/** News articles (RFC 5536): header fields, text without quotations, the auxiliary header of news.answers. */
export const summariseNews: Summariser = async (document, options) => {
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
    fact('Followup-To', header('followup-to')),
    fact('Distribution', header('distribution')),
    ...mailFields(email),
    fact('Archive-Name', also('archive-name') ?? header('archive-name')),
    fact('Posting-Frequency', also('posting-frequency')),
    fact('Version', also('version')),
  ]);
};
