import type { Decision } from '../../requests/index.ts';
import type { RawFields } from '../../rules/index.ts';
import { joinedBytes, keptConnection, printedHead } from './printed-head.ts';

export interface ReadyHead {
  readonly status: number;
  readonly reason: string;
  /** Every end-to-end field, including Date and Age. */
  readonly fields: RawFields;
  /** The fields of a 304 in its place (RFC 9110 15.4.5); absent when a 304 is impossible. */
  readonly notModifiedFields?: RawFields;
  readonly decision: Decision;
  /** Until when all of this is valid, in milliseconds since 1970: the next change of Age, or the end of freshness. */
  readonly untilMs: number;
}

/** A stored response with its content in memory. */
export interface ReadySource {
  /** The identity of the response: the same object means the same response. */
  readonly of: object;
  readonly content: Uint8Array;
  /** A valid entity tag (RFC 9110 8.8.3): a request that names only this one may get 304. */
  readonly etag?: string;
  /** A valid HTTP date: a request with this date may get 304. */
  readonly lastModified?: string;
  /** The head now; undefined when the response may no longer be sent without validation. */
  headAt(nowMs: number): ReadyHead | undefined;
  /** `count` requests were answered with it since the last call, with `contentBytes` bytes of content. */
  onHits(count: number, contentBytes: number): void;
  /** False when it has left the store. */
  isStored?(): boolean;
  /** It is no longer prebuilt. */
  left?(): void;
}

/** Bytes to be written as they are. Nobody may change them: they may be in use for many clients. */
export interface ReadyAnswer {
  readonly head: Uint8Array;
  /** Follows the head of an answer to GET; absent for a 304, and when `whole` has both. */
  readonly content?: Uint8Array;
  /** Head and content in one piece. */
  readonly whole?: Uint8Array;
  readonly status: number;
  readonly decision: Decision;
  /** Of the content in an answer to GET; absent for a 304. */
  readonly contentLength?: number;
}

export interface ReadyAnswers {
  /** The answer for a URL and the values of the request's head; undefined sends the request to the slow path. */
  find(url: string, head: RequestValues, nowMs: number): ReadyAnswer | undefined;
}

/** A plain head. */
export interface RequestValues {
  readonly method: 'GET' | 'HEAD';
  /** By the field's number; without spaces around it. */
  value(field: number): string | undefined;
}

const ofTheConnection: ReadonlySet<string> = new Set([
  ...['connection', 'content-length', 'keep-alive', 'proxy-connection'],
  ...['trailer', 'transfer-encoding', 'upgrade'],
]);

/** A head in bytes; undefined when it cannot be written unambiguously. */
function headBytes(
  head: Pick<ReadyHead, 'status' | 'reason'>,
  fields: RawFields,
  contentLength: number | undefined,
  keepAliveMs: number,
): Buffer | undefined {
  const kept: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name, value] = [fields[at] as string, fields[at + 1] as string];
    if (!ofTheConnection.has(name.toLowerCase())) kept.push(name, value);
  }
  if (contentLength !== undefined) kept.push('Content-Length', String(contentLength));
  const text = printedHead(head, kept, keptConnection(keepAliveMs));
  return text === undefined ? undefined : Buffer.from(text, 'latin1');
}

/** The answer with a whole response, on a connection that is kept for `keepAliveMs`. */
export function wholeAnswer(
  head: ReadyHead,
  content: Uint8Array,
  keepAliveMs: number,
): ReadyAnswer | undefined {
  const bytes = headBytes(head, head.fields, content.length, keepAliveMs);
  if (bytes === undefined) return undefined;
  const { status, decision } = head;
  const rest = { status, decision, contentLength: content.length };
  if (content.length > joinedBytes) return { head: bytes, content, ...rest };
  const whole = Buffer.concat([bytes, content]);
  return { head: whole.subarray(0, bytes.length), whole, ...rest };
}

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
