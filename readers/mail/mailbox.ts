import { utf8Words } from '../archives/index.ts';
import { isMbox, mboxMessages, unquoted } from '../bytes/index.ts';
import { decodeText } from '../text/index.ts';
import { withoutEnvelope } from './emlx.ts';

/** The first message of a mailbox, and the subjects of all. */
export interface Mailbox {
  readonly message: Uint8Array;
  /** Number of messages; 1 for a single message. */
  readonly messages: number;
  /** Subjects as written, at most 5000. */
  readonly subjects: readonly string[];
}

const maxSubjects = 5000;

/** Looks through a mailbox in one of the mbox forms. A file of another form is one message, also that of
 * Apple Mail. */
export function firstOfMailbox(bytes: Uint8Array): Mailbox {
  let message = withoutEnvelope(bytes);
  let messages = 0;
  const subjects: string[] = [];
  if (!isMbox(bytes)) return { message, messages: 1, subjects };
  for (const { header, body, quoted } of mboxMessages(bytes)) {
    if (messages++ === 0) message = Buffer.concat([header, quoted ? unquoted(body) : body]);
    if (subjects.length < maxSubjects) subjects.push(subjectOf(header));
  }
  return { message, messages, subjects };
}

function subjectOf(header: Buffer): string {
  const subject = /^Subject:[ \t]*(.{0,500})/im.exec(header.toString('latin1', 0, 8192))?.[1] ?? '';
  return utf8Words(decodeText(Buffer.from(subject, 'latin1')));
}
