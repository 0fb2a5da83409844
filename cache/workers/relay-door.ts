import { createServer, type Server, type Socket } from 'node:net';
import { type Frame, FrameReader } from './frames.ts';
import { type Hello, hello, readHello } from './relay-frames.ts';

export interface RelayDoorOptions {
  readonly secret: string;
  readonly maxConnections: number;
  /** A process of ours has connected; gives what its frames are told to. */
  greeted(greeting: Hello, socket: Socket): (frame: Frame) => void;
}

/** Longest time for the first frame. */
const greetingMs = 10_000;

/** The door of this process for its workers, on a socket of the file system. */
export function relayDoor({ secret, maxConnections, greeted }: RelayDoorOptions): Server {
  const server = createServer((socket) => {
    let hear: ((frame: Frame) => void) | undefined;
    const reader = new FrameReader((frame) => {
      if (hear !== undefined) {
        hear(frame);
        return;
      }
      const greeting = frame.kind === hello ? readHello(frame.payload, secret) : undefined;
      if (greeting === undefined || socket.destroyed) {
        socket.destroy();
        hear = () => undefined;
        return;
      }
      socket.setTimeout(0);
      socket.off('timeout', tooLong);
      hear = greeted(greeting, socket);
    });
    const tooLong = () => socket.destroy();
    socket.setTimeout(greetingMs);
    socket.on('timeout', tooLong);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      if (!reader.push(piece)) socket.destroy();
    });
  });
  server.maxConnections = maxConnections;
  return server;
}
