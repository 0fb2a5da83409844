import type { Duplex } from 'node:stream';
import type { RawFields, StoredHead } from '../rules/index.ts';
import { type Frame, frameHead } from './frames.ts';

/** A stored response for a worker's fast lane; its content follows the message. */
export interface HandedCopy {
  /** Never used again for the same worker. */
  readonly copy: number;
  readonly url: string;
  readonly vary: readonly string[];
  /** The values of those fields that the request had for which it was learned. */
  readonly requestFields: RawFields;
  readonly head: StoredHead;
}

/** Who asks for what, where a worker cannot tell whether that is allowed. */
export interface RequestedAccess {
  readonly from: string;
  readonly method: string;
  readonly host: string;
  readonly port: number;
  readonly form: 'accelerator' | 'proxy';
}

/** What the process with the store tells a worker. */
export type ToWorker =
  | ({ readonly is: 'give' } & HandedCopy)
  /** Give nothing under the URL from now on, nothing at all without one, and say so. */
  | { readonly is: 'drop'; readonly ticket: number; readonly url?: string }
  | { readonly is: 'access'; readonly question: number; readonly admitted: boolean }
  /** The latest connection of an address is one too many, in all processes together. */
  | { readonly is: 'over'; readonly address: string }
  | { readonly is: 'end' };

/** What a worker tells the process with the store. */
export type FromWorker =
  | { readonly is: 'want'; readonly urls: readonly string[] }
  | { readonly is: 'dropped'; readonly ticket: number }
  /** Copies that are no longer there. */
  | { readonly is: 'gone'; readonly copies: readonly number[] }
  /** By copy: requests answered with it since the last time, and bytes of content. */
  | { readonly is: 'hits'; readonly hits: readonly (readonly [copy: number, count: number, bytes: number])[] }
  /** Requests answered since the last time, and milliseconds within which each of them was. */
  | { readonly is: 'took'; readonly took: readonly (readonly [times: number, ms: number])[] }
  | { readonly is: 'ask'; readonly question: number; readonly access: RequestedAccess }
  /** Connections that came (1) and left (-1), in their order. */
  | { readonly is: 'slots'; readonly changes: readonly (readonly [address: string, change: 1 | -1])[] };

/** Larger contents are left to the process with the store: what they cost is the system's, whoever writes them. */
export const largestCopy = 4 * 1024 * 1024;

const [plain, withContent] = [1, 2];
const nothing = Buffer.alloc(0);

/** Write a message; false as in a stream's `write`. */
export function tell(to: Duplex, message: ToWorker | FromWorker, content?: Uint8Array): boolean {
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

/** Reads the messages that stand in frames. */
export function messages<Message extends ToWorker | FromWorker>(
  heard: (message: Message, content: Buffer) => void,
): (frame: Frame) => void {
  return ({ kind, payload }) => {
    if (kind === plain) {
      heard(JSON.parse(payload.toString('utf8')) as Message, nothing);
      return;
    }
    const end = 4 + payload.readUInt32BE(0);
    // A copy: a piece of what arrived together would hold all of it.
    heard(JSON.parse(payload.toString('utf8', 4, end)) as Message, Buffer.from(payload.subarray(end)));
  };
}
