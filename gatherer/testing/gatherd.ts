import { createServer, type Socket } from 'node:net';
import { printStream, type SummaryObject, summaryObject } from '../../soif/index.ts';
import type { ClassicSource } from '../serve/gatherd/classic-store.ts';

/** A source over objects in memory, for tests. */
export function memorySource(objects: readonly SummaryObject[]): ClassicSource {
  return {
    state: async () => ({ objects: objects.length }),
    info: async () => summaryObject('http://localhost/', [['Gatherer-Name', 'test']], 'GATHERER'),
    object: async (id) => objects.find(({ url }) => url === id),
    updates: (since) => printStream({ updates: since === 0 ? objects : [] }),
  };
}

/** A TCP server on a free port of this machine that calls `talk` for each connection. */
export async function rawServer(
  talk: (socket: Socket) => void,
): Promise<{ readonly port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
