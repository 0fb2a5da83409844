import type { Duplex } from 'node:stream';
import type { AccessQuestion } from '../doors/index.ts';
import type { RawFields, StoredHead } from '../rules/index.ts';
import { type Frame, frameHead } from './frames.ts';

/** A stored response for a worker's fast lane; its content follows the message. */
export interface HandedCopy {
  /** Never reused for the same worker. */
  readonly copy: number;
  readonly url: string;
  readonly vary: readonly string[];
  /** The values of those fields in the request from which the response was learned. */
  readonly requestFields: RawFields;
  readonly head: StoredHead;
}

/** A request whose access a worker cannot decide. */
export interface RequestedAccess extends AccessQuestion {
  readonly form: 'accelerator' | 'proxy';
}

/** A message from the process with the store to a worker. */
export type ToWorker =
  | ({ readonly is: 'give' } & HandedCopy)
  /** Answer no more from copies under the URL, or from any copy without one, and confirm. */
  | { readonly is: 'drop'; readonly ticket: number; readonly url?: string }
  | { readonly is: 'access'; readonly question: number; readonly admitted: boolean }
  /** The latest connection of an address exceeds the limit, which applies to all processes together. */
  | { readonly is: 'over'; readonly address: string }
  | { readonly is: 'end' };

/** A message from a worker to the process with the store. */
export type FromWorker =
  | { readonly is: 'want'; readonly urls: readonly string[] }
  | { readonly is: 'dropped'; readonly ticket: number }
  | { readonly is: 'gone'; readonly copies: readonly number[] }
  /** By copy: requests answered with it since the last report, and bytes of content. */
  | { readonly is: 'hits'; readonly hits: readonly (readonly [copy: number, count: number, bytes: number])[] }
  /** Requests answered since the last report, and the mean milliseconds of each group. */
  | { readonly is: 'took'; readonly took: readonly (readonly [times: number, ms: number])[] }
  | { readonly is: 'ask'; readonly question: number; readonly access: RequestedAccess }
  /** Connections opened (1) and closed (-1), in their order. */
  | { readonly is: 'slots'; readonly changes: readonly (readonly [address: string, change: 1 | -1])[] };

/** The process with the store sends larger contents itself: their cost is the kernel's, in any process. */
export const maxCopyBytes = 4 * 1024 * 1024;

const [plain, withContent] = [1, 2];
const nothing = Buffer.alloc(0);

/** Write a message; the result is that of a stream's `write`. */
export function sendMessage(to: Duplex, message: ToWorker | FromWorker, content?: Uint8Array): boolean {
  const text = Buffer.from(JSON.stringify(message), 'utf8');
  if (content === undefined) {
    return to.write(Buffer.concat([frameHead(plain, text.length), text]));
  }
  const length = Buffer.allocUnsafe(4);
  length.writeUInt32BE(text.length, 0);
  to.cork();
  to.write(Buffer.concat([frameHead(withContent, 4 + text.length + content.length), length, text]));
  const flows = to.write(content);
  to.uncork();
  return flows;
}

/** A frame listener that parses messages. */
export function messages<Message extends ToWorker | FromWorker>(
  heard: (message: Message, content: Buffer) => void,
): (frame: Frame) => void {
  return ({ kind, payload }) => {
    if (kind === plain) {
      heard(JSON.parse(payload.toString('utf8')) as Message, nothing);
      return;
    }
    const end = 4 + payload.readUInt32BE(0);
    // A copy: a slice would keep in memory all that arrived together.
    heard(JSON.parse(payload.toString('utf8', 4, end)) as Message, Buffer.from(payload.subarray(end)));
  };
}
