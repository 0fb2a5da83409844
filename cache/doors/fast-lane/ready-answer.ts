import type { Decision } from '../../requests/index.ts';
import type { RawFields } from '../../rules/index.ts';
import { joinedBytes, keptConnection, printedHead } from './printed-head.ts';

/** What is said of a stored response at one moment. */
export interface ReadyHead {
  readonly status: number;
  readonly reason: string;
  /** Every end-to-end field, Date and Age among them. */
  readonly fields: RawFields;
  /** The fields of a 304 in its place (RFC 9110 15.4.5); absent when it is never answered by one. */
  readonly notModifiedFields?: RawFields;
  /** What was decided, for those who are told of each answer. */
  readonly decision: Decision;
  /** Until when all of this stays as it is, in milliseconds since 1970: the next change of Age, or its end. */
  readonly untilMs: number;
}

/** A stored response with its content in memory. */
export interface ReadySource {
  /** What it is made of: the same object again is the same response. */
  readonly of: object;
  readonly content: Uint8Array;
  /** A valid entity tag (RFC 9110 8.8.3): a request that names this one alone may be told 304. */
  readonly etag?: string;
  /** A valid HTTP date: a request that was last answered by this very state may be told 304. */
  readonly lastModified?: string;
  /** What is said now; undefined when the response may no longer be given without asking. */
  headAt(nowMs: number): ReadyHead | undefined;
  /** So many requests were answered with it since this was last called, and with so many bytes of content. */
  onHits(count: number, contentBytes: number): void;
  /** False when it has left the store. */
  isStored?(): boolean;
  /** It is no longer ready. */
  left?(): void;
}

/** Bytes to be written as they are. Nobody changes them: they may be on their way to many clients. */
export interface ReadyAnswer {
  readonly head: Uint8Array;
  /** What follows the head of an answer to GET; absent for a 304, and when `whole` holds both. */
  readonly content?: Uint8Array;
  /** Head and content in one piece. */
  readonly whole?: Uint8Array;
  readonly status: number;
  readonly decision: Decision;
  /** Of the content, were it asked for by GET; absent for a 304. */
  readonly contentLength?: number;
}

/** Answers that can be given at once. */
export interface ReadyAnswers {
  /** The answer for a URL and what the request's head says; undefined sends the request the slow way. */
  find(url: string, head: RequestValues, nowMs: number): ReadyAnswer | undefined;
}

/** A plain head. */
export interface RequestValues {
  readonly method: 'GET' | 'HEAD';
  /** By the field's number; without the spaces around it. */
  value(field: number): string | undefined;
}

const ofTheConnection: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'keep-alive', 'proxy-connection'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]);

/** A head in bytes; undefined for fields that cannot be written so that everybody reads the same. */
function headBytes(
  head: Pick<ReadyHead, 'status' | 'reason'>,
  fields: RawFields,
  contentLength: number | undefined,
  keepAliveMs: number,
): Buffer | undefined {
  const told: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name, value] = [fields[at] as string, fields[at + 1] as string];
    if (!ofTheConnection.has(name.toLowerCase())) told.push(name, value);
  }
  if (contentLength !== undefined) told.push('Content-Length', String(contentLength));
  const text = printedHead(head, told, keptConnection(keepAliveMs));
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}

/** The answer that gives a response whole, on a connection that is kept for `keepAliveMs`. */
export function wholeAnswer(
  head: ReadyHead,
  content: Uint8Array,
  keepAliveMs: number,
): ReadyAnswer | undefined {
  const bytes = headBytes(head, head.fields, content.length, keepAliveMs);
  if (bytes === undefined) return undefined;
  const { status, decision } = head;
  const told = { status, decision, contentLength: content.length };
  if (content.length > joinedBytes) return { head: bytes, content, ...told };
  const whole = Buffer.concat([bytes, content]);
  return { head: whole.subarray(0, bytes.length), whole, ...told };
}

/** The answer that says that nothing has changed. */
export function notModifiedAnswer(head: ReadyHead, keepAliveMs: number): ReadyAnswer | undefined {
  if (head.notModifiedFields === undefined) return undefined;
  const bytes = headBytes(
    { status: 304, reason: 'Not Modified' },
    head.notModifiedFields,
    undefined,
    keepAliveMs,
  );
  return bytes === undefined ? undefined : { head: bytes, status: 304, decision: head.decision };
}
