import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy on its own port: counts the bytes, and breaks a connection after so many of them. */
export class TcpProxy implements AsyncDisposable {
  /** Bytes from clients to the server behind. */
  up = 0;
  /** Bytes from the server behind. */
  down = 0;
  /** After this many bytes down, both ends of every connection are destroyed. */
  cutAfterDown = Number.POSITIVE_INFINITY;
  /** The same for bytes of both directions together; bytes beyond this are not sent. */
  cutAfterBoth = Number.POSITIVE_INFINITY;
  /** Connections to the server behind, oldest first. */
  readonly upstreams: Socket[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number) {
    this.#server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1');
      this.upstreams.push(upstream);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one.on('error', () => {});
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
      client.on('data', (bytes) => {
        const left = Math.max(0, this.cutAfterBoth - this.up - this.down);
        this.up += Math.min(bytes.length, left);
        if (bytes.length <= left) {
          upstream.write(bytes);
          return;
        }
        client.destroy();
        upstream.end(bytes.subarray(0, left), () => upstream.destroy());
      });
      upstream.on('data', (bytes) => {
        const left = Math.max(
          0,
          Math.min(this.cutAfterDown - this.down, this.cutAfterBoth - this.up - this.down),
        );
        this.down += Math.min(bytes.length, left);
        if (bytes.length <= left) {
          // A reader that stalls stalls the server behind, too.
          if (!client.write(bytes)) upstream.pause();
          return;
        }
        upstream.destroy();
        client.end(bytes.subarray(0, left), () => client.destroy());
      });
      client.on('drain', () => upstream.resume());
    });
  }

  /** Listen in front of a port of this machine. */
  static async open(port: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(port);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The URL for a session through it. */
  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
