import type { Address, Email } from 'postal-mime';
import { utf8Message } from '../../../readers/archives/index.ts';
import type {
  AttributeNote,
  Field,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { addMessageText, bareSubject, firstOfMailbox } from '../../../readers/mail/index.ts';
import {
  decodeText,
  eachOf,
  fact,
  joined,
  oneLine,
  readHeaderFields,
  StructuredText,
} from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';
import { summariseHtml } from './html.ts';

/** Attributes of the summary of a mail message. */
export const mailAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The subject, without the marks of replies and forwards' },
  { name: 'Author', what: 'The author’s name, else the address' },
  { name: 'From', what: 'Name and address of the author' },
  { name: 'To', what: 'Its recipients' },
  { name: 'Cc', what: 'Its recipients of a copy' },
  { name: 'Date', what: 'Date of sending, in ISO 8601 and UTC' },
  { name: 'Organization', what: 'The organisation of the author' },
  { name: 'Keywords', what: 'Its keywords' },
  { name: 'Description', what: 'Its `Summary` or `Comments`' },
  { name: 'Message-Id', what: 'Its identifier, without angle brackets' },
  { name: 'In-Reply-To', what: 'Identifiers of the messages it answers' },
  { name: 'References', what: 'Identifiers of the messages before it in the thread' },
  { name: 'List-Id', what: 'The mailing list that sent it' },
  { name: 'Attachments', what: 'Names and media types of attachments' },
  { name: 'Messages', what: 'Of a mailbox: the number of messages' },
  { name: 'Headings', what: 'Of a mailbox: the subjects of its messages' },
];

const maxNesting = 32;
const maxHeaders = 256 * 1024;
const maxAttachments = 200;
// Parsing a message costs time per line, even for short lines.
const maxLines = 500_000;

/**
 * Mail (RFC 5322, MIME of RFC 2045 to 2047, read by postal-mime): header fields, the text of the best part (plain
 * text, else HTML through the HTML reader), attachments by name. A mailbox gets its first message's summary and the
 * subjects of all. A message whose parts cannot be read still gives its header and its unparsed text.
 */
export const summariseMail: Summariser = async (document, options) => {
  const { message, messages, subjects } = firstOfMailbox(document.bytes);
  const text = new StructuredText(options);
  const short = firstLines(message);
  if (short.length < message.length)
    text.notes.push(`Only the first ${maxLines} lines of the message were read.`);
  const email = await parsed(short);
  if (email === undefined)
    text.notes.push('The parts of the message could not be read; its text is given unparsed.');
  const fields = email === undefined ? plainMessage(short, document, text) : mailFields(email);
  if (email !== undefined) {
    text.title = bareSubject(email.subject);
    addBody(email, document, options, text);
    await addOutlookBody(email, document, options, text);
  }
  if (messages > 1) {
    fields.push(['Messages', String(messages)]);
    const { decodeWords } = await import('postal-mime');
    for (const subject of subjects) text.heading(bareSubject(decodeWords(subject)) ?? '');
    // A mailbox has the name of its file.
    text.title = undefined;
    text.isNamedByHeading = false;
  }
  return text.extract(document, fields);
};

/** The lines of a message that are read. */
export function firstLines(message: Uint8Array): Uint8Array {
  let at = 0;
  for (let lines = 0; lines < maxLines; lines++) {
    at = message.indexOf(10, at) + 1;
    if (at === 0) return message;
  }
  return message.subarray(0, at);
}

/** The parsed message, or undefined when parsing fails. */
export async function parsed(message: Uint8Array): Promise<Email | undefined> {
  const { default: PostalMime } = await import('postal-mime');
  try {
    return await PostalMime.parse(utf8Message(message), {
      maxNestingDepth: maxNesting,
      maxHeadersSize: maxHeaders,
      maxRfc822NestingDepth: 4,
    });
  } catch {
    return undefined;
  }
}

/** The text of the best part: plain text, else HTML. */
export function addBody(
  email: Email,
  document: RecognisedDocument,
  options: SummariseOptions,
  text: StructuredText,
): void {
  if (email.text !== undefined && email.text.trim() !== '') {
    addMessageText(email.text, text);
    return;
  }
  if (email.html === undefined) return;
  const html = summariseHtml(
    { ...document, bytes: Buffer.from(email.html), mediaType: 'text/html', charset: 'utf-8' },
    options,
  );
  for (const reference of html.references) text.references.add(reference, true);
  const body = html.text?.blocks.map((block) => block.text).join('\n');
  if (body !== undefined) addMessageText(body, text);
}

/** The text of a message of Outlook that has all of it in an attachment of its own form. */
async function addOutlookBody(
  { text: plain = '', html = '', attachments }: Email,
  document: RecognisedDocument,
  options: SummariseOptions,
  text: StructuredText,
): Promise<void> {
  const outlook = attachments.find(({ mimeType }) => /^application\/(?:vnd\.)?ms-tnef$/i.test(mimeType));
  if (outlook === undefined || `${plain}${html}`.trim() !== '') return;
  const { addTnefBody } = await import('./outlook-message.ts');
  const { content } = outlook;
  const bytes = typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
  addTnefBody(bytes, document, options, text);
}

/** The header's fields; `Subject` is the title. */
export function mailFields(email: Email): Field[] {
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
  const from = addresses(email.from === undefined ? [] : [email.from]);
  return [
    fact('Author', email.from?.name || from[0]),
    fact('From', from[0]),
    joined('To', addresses(email.to ?? [])),
    joined('Cc', addresses(email.cc ?? [])),
    fact('Date', email.date),
    fact('Organization', header('organization') ?? header('organisation')),
    joined('Keywords', (header('keywords') ?? '').split(',')),
    fact('Description', header('summary') ?? header('comments')),
    joined('Message-Id', identifiers(email.messageId)),
    joined('In-Reply-To', identifiers(email.inReplyTo)),
    joined('References', identifiers(email.references), ' '),
    fact('List-Id', header('list-id')),
    ...eachOf('Attachments', [attachmentsOf(email)]),
  ];
}

function attachmentsOf({ attachments }: Email): string {
  return attachments
    .slice(0, maxAttachments)
    .map(({ filename, mimeType }) => `${filename ?? 'unnamed'} (${mimeType})`)
    .join(', ');
}

function addresses(list: readonly Address[]): string[] {
  return list
    .flatMap((entry) => (entry.group === undefined ? [entry] : entry.group))
    .slice(0, 1000)
    .map(({ name, address }) => (name === '' ? (address ?? '') : address ? `${name} <${address}>` : name));
}

function identifiers(written: string | undefined): string[] {
  return [...(written ?? '').slice(0, 32 * 1024).matchAll(/<([^<>\s]{1,500})>/g)].map(([, id]) => id ?? '');
}

/** The header and text of a message that is not valid MIME. */
function plainMessage(message: Uint8Array, document: RecognisedDocument, text: StructuredText): Field[] {
  const lines = decodeText(message, document.charset).split(/\r\n?|\n/);
  const { fields, end } = readHeaderFields(lines);
  const value = (name: string) => fields.get(name)?.[0];
  text.title = bareSubject(value('subject'));
  addMessageText(lines.slice(end).join('\n'), text);
  return [
    fact('Author', oneLine(value('from') ?? '').replace(/\s*<[^>]*>$/, '')),
    fact('From', value('from')),
    fact('To', value('to')),
    fact('Date', value('date')),
    joined('Message-Id', identifiers(value('message-id'))),
  ];
}
