export { firstOfMailbox } from './mailbox.ts';
export { addMessageText, bareSubject } from './message-text.ts';
