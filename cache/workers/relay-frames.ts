import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ConnectionEnds } from '../doors/index.ts';
import { frameHead } from './frames.ts';

/** Kinds of frames on a relayed connection. */
export const hello = 0;
export const data = 1;
/** No more data comes from this side; the other side continues. */
export const half = 2;
/** Both sides have ended, and everything has been received. */
export const over = 3;
/** A request has been answered, and the connection stays. */
export const answered = 4;

/** The first frame of a connection between the processes. */
export interface Hello {
  /** Random at each start; it shows that the sender was started by the same process. */
  readonly secret: string;
  readonly worker: number;
  /** The client whose connection is relayed; absent on the connection for messages. */
  readonly client?: RelayedClient;
}

/** A client's connection, and the kind of relaying. */
export interface RelayedClient extends ConnectionEnds {
  /** Single requests from a fast lane, or every byte. */
  readonly what: 'requests' | 'bytes';
  /** Whether it has been reported among the worker's connections. */
  readonly isCounted: boolean;
}

const none = Buffer.alloc(0);
/** Larger payloads are divided, so that the other side can start to process them. */
const maxPiece = 256 * 1024;

/** Send one frame, or several for a long payload; the result is that of a stream's `write`. */
export function sendFrame(to: Socket, kind: number, payload: Uint8Array = none, done?: () => void): boolean {
  to.cork();
  let at = 0;
  let flows: boolean;
  do {
    const piece = payload.subarray(at, at + maxPiece);
    at += piece.length;
    const last = at >= payload.length ? done : undefined;
    flows = to.write(frameHead(kind, piece.length), piece.length === 0 ? last : undefined);
    if (piece.length > 0) flows = to.write(piece, last);
  } while (at < payload.length);
  to.uncork();
  return flows;
}

export function sendHello(to: Socket, greeting: Hello): void {
  sendFrame(to, hello, Buffer.from(JSON.stringify(greeting), 'utf8'));
}

/** Parse the first frame; undefined when it does not have the secret. */
export function readHello(payload: Buffer, secret: string): Hello | undefined {
  let greeting: Partial<Hello> | null;
  try {
    greeting = JSON.parse(payload.toString('utf8')) as Partial<Hello> | null;
  } catch {
    return undefined;
  }
  const [received, own] = [Buffer.from(String(greeting?.secret)), Buffer.from(secret)];
  if (received.length !== own.length || !timingSafeEqual(received, own)) return undefined;
  return greeting as Hello;
}
