/** The first message of a mailbox, and what the others are about. */
export interface Mailbox {
  readonly message: Uint8Array;
  /** How many messages there are; 1 for a single message. */
  readonly messages: number;
  /** Subjects as written, at most 5000. */
  readonly subjects: readonly string[];
}

const maxSubjects = 5000;
const newline = 10;

/**
 * Looks through a mailbox in one of the mbox forms (RFC 4155): a line that begins with `From ` after a blank line, or
 * at the very beginning, begins a message. A file without such lines is one message.
 */
export function firstOfMailbox(bytes: Uint8Array): Mailbox {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.toString('latin1', 0, 5) !== 'From ') return { message: bytes, messages: 1, subjects: [] };
  const start = buffer.indexOf(newline) + 1;
  if (start === 0) return { message: bytes, messages: 1, subjects: [] };
  let end = buffer.length;
  let messages = 1;
  const subjects = [subjectAt(buffer, start)];
  for (let at = nextMessage(buffer, start); at >= 0; at = nextMessage(buffer, at + 1)) {
    if (messages === 1) end = at;
    messages++;
    if (subjects.length < maxSubjects) subjects.push(subjectAt(buffer, at));
  }
  return { message: buffer.subarray(start, end), messages, subjects };
}

/** Where the next `From ` line with a date begins after a blank line, or -1. */
function nextMessage(buffer: Buffer, from: number): number {
  for (let at = buffer.indexOf('\nFrom ', from); at >= 0; at = buffer.indexOf('\nFrom ', at + 1)) {
    const before = buffer[at - 1];
    const blank = before === newline || (before === 13 && buffer[at - 2] === newline);
    if (blank && /^From \S+ .*\d{4}/.test(buffer.toString('latin1', at + 1, at + 200))) return at + 1;
  }
  return -1;
}

/** The subject among the first lines after `at`. */
function subjectAt(buffer: Buffer, at: number): string {
  const head = buffer.toString('latin1', at, Math.min(buffer.length, at + 8192));
  const blank = /\r?\n\r?\n/.exec(head);
  return /^Subject:[ \t]*(.{0,500})/im.exec(blank === null ? head : head.slice(0, blank.index))?.[1] ?? '';
}
