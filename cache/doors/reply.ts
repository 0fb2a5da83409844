import type { Socket } from 'node:net';
import type { RawFields } from '../rules/index.ts';

/** A request's head as it came, whoever read it: node's HTTP server, or the fast lane. */
export interface RequestedHead {
  readonly method?: string | undefined;
  /** The target. */
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly rawHeaders: RawFields;
  /** Whether all of it has come, its content too. */
  readonly complete: boolean;
  /** Whether its content is being read; null when nobody has begun to. */
  readonly readableFlowing: boolean | null;
  readonly socket: Socket;
}

/**
 * Where an answer is written: as much of node's ServerResponse as a door uses, which the fast lane has in a form of its own.
 * A head is sent with what is written first, or by `flushHeaders`.
 */
export interface Reply {
  /** What it answers. */
  readonly req: Pick<RequestedHead, 'method' | 'url' | 'httpVersion' | 'complete'>;
  /** The client's connection; null when there is none any more. */
  readonly socket: Socket | null;
  /** Nothing can be written any more. */
  readonly destroyed: boolean;
  /** A head has been given, which cannot be taken back. */
  readonly headersSent: boolean;
  /** All of it is with the system. */
  readonly writableFinished: boolean;
  /** Its content goes out in chunks. */
  readonly chunkedEncoding: boolean;
  /** Whether the connection stays for a next request; may be changed before the head is given. */
  shouldKeepAlive: boolean;
  useChunkedEncodingByDefault: boolean;
  writeContinue(): void;
  /** `fields`: names and values in turn. Throws when they cannot be written so that everybody reads the same. */
  writeHead(status: number, reason: string, fields: string[]): unknown;
  flushHeaders(): void;
  /** False when who writes more is to wait for 'drain'. */
  write(piece: Uint8Array): boolean;
  /** Said behind a content in chunks. */
  addTrailers(fields: [string, string][]): void;
  end(piece?: Uint8Array): unknown;
  /** Cut the connection. */
  destroy(): unknown;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}
