// Mail: mailboxes in the mbox forms, and the text of a message. Read mailbox.ts first.
export { withoutEnvelope } from './emlx.ts';
export { firstOfMailbox } from './mailbox.ts';
export { type MboxMessage, mboxStream } from './mbox-stream.ts';
export { addMessageText, bareSubject } from './message-text.ts';
