import type { Socket } from 'node:net';
import type { RawFields } from '../rules/index.ts';

/** A request's head as received, from Node's HTTP server or from the fast lane. */
export interface RequestedHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: RawFields;
  /** Whether all of it has been received, including its content. */
  readonly complete: boolean;
  /** Whether its content is being read; null before anybody has begun to. */
  readonly readableFlowing: boolean | null;
  readonly socket: Socket;
}

/**
 * The target of an answer: the part of Node's ServerResponse that a door uses, which the fast lane implements
 * too. The head is sent with the first write, or by `flushHeaders`.
 */
export interface Reply {
  readonly req: Pick<RequestedHead, 'method' | 'url' | 'httpVersion' | 'complete'>;
  /** The client's connection; null when it is closed. */
  readonly socket: Socket | null;
  /** Nothing can be written any more. */
  readonly destroyed: boolean;
  /** A head has been written, which cannot be undone. */
  readonly headersSent: boolean;
  /** The operating system has all of it. */
  readonly writableFinished: boolean;
  /** Its content is sent in chunks. */
  readonly chunkedEncoding: boolean;
  /** Whether the connection stays open for the next request; may be changed before the head is written. */
  shouldKeepAlive: boolean;
  useChunkedEncodingByDefault: boolean;
  writeContinue(): void;
  /** `fields`: names and values, alternating. Throws when they cannot be written unambiguously. */
  writeHead(status: number, reason: string, fields: string[]): unknown;
  flushHeaders(): void;
  /** False when the caller should wait for 'drain'. */
  write(piece: Uint8Array): boolean;
  /** Fields after a chunked content. */
  addTrailers(fields: [string, string][]): void;
  end(piece?: Uint8Array): unknown;
  destroy(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}
