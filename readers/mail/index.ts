// Mail: mailboxes in the mbox forms, and the text of a message. Read mbox.ts, then mailbox.ts.
export { withoutEnvelope } from './emlx.ts';
export { firstOfMailbox } from './mailbox.ts';
export { isMbox, mboxMessages, unquoted } from './mbox.ts';
export { type MboxMessage, mboxStream } from './mbox-stream.ts';
export { addMessageText, bareSubject } from './message-text.ts';
