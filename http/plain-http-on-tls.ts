import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The first byte of a TLS record with a handshake (RFC 8446 5.1). */
const handshake = 22;

/**
 * Let `refuse` answer clients of a TLS server that begin with plain HTTP. `dispose` closes silent
 * connections.
 */
export function rejectPlainHttp(
  server: Server,
  { timeoutMs, refuse }: { readonly timeoutMs: number; readonly refuse: (socket: Socket) => void },
): Disposable {
  const silent = new Set<Socket>();
  const takers = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    const cut = () => socket.destroy();
    const left = () => silent.delete(socket);
    socket.setTimeout(timeoutMs, cut);
    socket.on('error', cut);
    socket.once('close', left);
    const look = () => {
      const first = socket.read() as Buffer | null;
      if (first === null) return;
      socket.off('readable', look);
      socket.setTimeout(0);
      socket.off('timeout', cut);
      socket.off('error', cut);
      socket.off('close', left);
      silent.delete(socket);
      if (first[0] !== handshake) {
        socket.on('error', cut);
        refuse(socket);
        return;
      }
      socket.unshift(first);
      for (const taker of takers) taker.call(server, socket);
    };
    socket.on('readable', look);
  });
  return {
    [Symbol.dispose]: () => {
      for (const socket of silent) socket.destroy();
    },
  };
}
