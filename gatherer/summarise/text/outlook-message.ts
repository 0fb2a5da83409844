import { readTnef, type TnefMessage } from '../../../readers/archives/index.ts';
import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote, RecognisedDocument, SummariseOptions } from '../../../readers/document/index.ts';
import { addMessageText, bareSubject } from '../../../readers/mail/index.ts';
import { decompressedRtf, RtfReader } from '../../../readers/office/rtf/index.ts';
import { eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { summariseHtml } from './html.ts';

/** Attributes of the summary of a message in Outlook's form. */
export const tnefAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The subject, without the marks of replies and forwards' },
  { name: 'Author', what: 'The name of the sender, else the address' },
  { name: 'To', what: 'Its recipients' },
  { name: 'Cc', what: 'Its recipients of a copy' },
  { name: 'Date', what: 'Date of sending, in ISO 8601 and UTC' },
  { name: 'Keywords', what: 'Its categories' },
  { name: 'Message-Id', what: 'Its identifier, without angle brackets' },
  { name: 'Message-Class', what: 'The kind of message, such as `IPM.Appointment`' },
  { name: 'Attachments', what: 'Names of attachments' },
  { name: 'URL-References', what: 'The addresses in its text' },
  { name: 'Full-Text', what: 'Its text: plain, else of its HTML or RTF' },
];

/** TNEF (`winmail.dat`): sender, dates and text of the message; its attachments are documents of their own. */
export const summariseTnef: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const message = readTnef(document.bytes);
  text.title = bareSubject(message.subject);
  addText(message, document, options, text);
  if (message.cut) text.notes.push('The message breaks off or has properties of an unknown kind.');
  return text.extract(document, [
    fact('Author', message.from ?? message.fromAddress),
    fact('To', message.to),
    fact('Cc', message.cc),
    fact('Date', message.sent === undefined ? undefined : new Date(message.sent).toISOString()),
    joined('Keywords', message.keywords),
    fact('Message-Id', message.messageId?.replace(/^<|>$/g, '')),
    fact('Message-Class', message.messageClass),
    ...eachOf('Attachments', [message.attachments.flatMap(({ name }) => name ?? []).join(', ')]),
  ]);
};

/** Add the text of the message in TNEF, if it can be read. */
export function addTnefBody(
  bytes: Uint8Array,
  document: RecognisedDocument,
  options: SummariseOptions,
  text: StructuredText,
): void {
  try {
    addText(readTnef(bytes), document, options, text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    text.notes.push('The text in Outlook’s own form could not be read.');
  }
}

function addText(
  { text: plain, html, rtf, charset }: TnefMessage,
  document: RecognisedDocument,
  options: SummariseOptions,
  text: StructuredText,
): void {
  if (plain !== undefined) addMessageText(plain, text);
  else if (html !== undefined) {
    const { charset: _, ...rest } = document;
    const content = { ...rest, name: '', bytes: html, mediaType: 'text/html', ...(charset && { charset }) };
    const page = summariseHtml(content, options);
    for (const reference of page.references) text.references.add(reference, true);
    addMessageText(page.text?.blocks.map((block) => block.text).join('\n') ?? '', text);
  } else if (rtf !== undefined) new RtfReader(latin1Start(decompressedRtf(rtf)), text).read();
}
