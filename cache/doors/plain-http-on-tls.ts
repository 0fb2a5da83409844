import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The first byte of a TLS record that a handshake begins with (RFC 8446 5.1). */
const handshake = 22;

/**
 * Have connections to a TLS server looked at before it has them: who begins with anything but a handshake speaks plain
 * HTTP, and is told so instead of being cut off. `dispose` ends those that have said nothing yet.
 */
export function rejectPlainHttp(
  server: Server,
  { timeoutMs, tell }: { readonly timeoutMs: number; readonly tell: (socket: Socket) => void },
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
        tell(socket);
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
