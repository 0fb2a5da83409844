import { connect, type Socket } from 'node:net';
import { SlowSide } from '../doors/index.ts';
import { FrameReader } from './frames.ts';
import { answered, data, half, over, type RelayedClient, sendFrame, sendHello } from './relay-frames.ts';

/** Where the process with the store accepts connections of a worker. */
export interface RelayPlace {
  readonly path: string;
  readonly secret: string;
  readonly worker: number;
}

/**
 * Relay a connection to the process with the store: single requests from a fast lane, or every byte. The
 * bytes are not parsed, and backpressure works in both directions. Returns the socket to that process.
 */
export function relay(
  connection: Socket | SlowSide,
  { path, secret, worker }: RelayPlace,
  { isCounted }: Pick<RelayedClient, 'isCounted'>,
): Socket {
  const isSide = connection instanceof SlowSide;
  const socket = connect(path);
  let [isOver, isFull, isAnswered] = [false, false, false];
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = connection;
  const what = isSide ? ('requests' as const) : ('bytes' as const);
  sendHello(socket, {
    ...{ secret, worker },
    client: { what, isCounted, remoteAddress, remotePort, remoteFamily, localAddress, localPort },
  });

  connection.on('data', (chunk: Buffer) => {
    if (!sendFrame(socket, data, chunk) && !isSide) connection.pause();
  });
  socket.on('drain', () => connection.resume());
  connection.on('end', () => sendFrame(socket, half));
  connection.on('error', () => undefined);
  connection.on('close', () => {
    if (!socket.destroyed && socket.writable) sendFrame(socket, over);
    socket.destroySoon();
  });
  connection.on('drain', () => {
    isFull = false;
    socket.resume();
    if (isAnswered) goOn();
  });
  // A client that pipelines requests without reading the answers gets no further answers until it reads.
  const goOn = () => {
    isAnswered = isFull;
    if (!isFull && isSide) connection.answered();
  };

  const reader = new FrameReader(({ kind, payload }) => {
    if (connection.destroyed) return;
    if (kind === data) {
      if (connection.write(payload)) return;
      isFull = true;
      socket.pause();
    } else if (kind === half) connection.end();
    else if (kind === answered) goOn();
    else if (kind === over) {
      isOver = true;
      connection.destroySoon();
    }
  });
  socket.on('data', (piece: Buffer) => {
    if (!reader.push(piece)) socket.destroy();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!isOver) connection.resetAndDestroy();
  });
  return socket;
}
