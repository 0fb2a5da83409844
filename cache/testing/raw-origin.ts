import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** One connection to an origin that says what a test makes it say. */
export interface RawCall {
  readonly socket: Socket;
  /** Everything received on this connection so far, in latin1. */
  readonly heard: string;
  /** Which request of this connection this is, from 1. */
  readonly request: number;
}

/** An origin that answers each request head with bytes; what it heard is kept. */
export async function rawOrigin(answer: (call: RawCall) => string | undefined) {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    let heard = '';
    let seen = 0;
    let request = 0;
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
      for (let end = heard.indexOf('\r\n\r\n', seen); end >= 0; end = heard.indexOf('\r\n\r\n', seen)) {
        heads.push(heard.slice(seen, end + 4));
        seen = end + 4;
        request += 1;
        const said = answer({ socket, heard, request });
        if (said !== undefined) socket.write(Buffer.from(said, 'latin1'));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    heads,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
