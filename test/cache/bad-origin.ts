import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

const fresh = 'Cache-Control: max-age=3600\r\n';

/** Answers that never end, or end late. */
function forever(socket: Socket, piece: () => string | Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece()));
  };
  socket.on('drain', more);
  more();
}

/** Faults of an origin; every response is cacheable. */
const misdeeds: Readonly<Record<string, (socket: Socket) => void>> = {
  'says-nothing': () => {},
  'stalls-in-its-head': (socket) => socket.write('HTTP/1.1 200 OK\r\nCache-Cont'),
  'drips-its-head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.once('close', () => clearInterval(timer));
  },
  'endless-head': (socket) => {
    let line = 0;
    socket.write('HTTP/1.1 200 OK\r\n');
    forever(socket, () => `X-Line-${line++}: ${'x'.repeat(100)}\r\n`);
  },
  'endless-field': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    forever(socket, () => 'x'.repeat(10_000));
  },
  'endless-interim': (socket) => forever(socket, () => 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  'closes-at-once': (socket) => socket.end(),
  'resets-at-once': (socket) => socket.resetAndDestroy(),
  'resets-in-its-head': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${fresh}`, () => socket.resetAndDestroy()),
  'speaks-no-http': (socket) => socket.end('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
  'sends-noise': (socket) =>
    socket.end(Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) & 255))),
  'two-lengths': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: 3\r\nContent-Length: 30\r\n\r\nabc`),
  'length-and-chunks': (socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\n${fresh}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ),
  'negative-length': (socket) => socket.end(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: -3\r\n\r\nabc`),
  'control-characters': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${fresh}X-Odd: a\x00b\r\nContent-Length: 3\r\n\r\nabc`),
  'switches-unasked': (socket) =>
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: odd\r\n\r\nabc'),
  'stalls-in-its-content': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: 1000\r\n\r\n${'c'.repeat(100)}`),
  'stalls-in-a-chunk': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${fresh}Transfer-Encoding: chunked\r\n\r\n400\r\n${'c'.repeat(100)}`),
  'ends-too-soon': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: 1000\r\n\r\n${'c'.repeat(100)}`),
  'ends-without-last-chunk': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${fresh}Transfer-Encoding: chunked\r\n\r\n64\r\n${'c'.repeat(100)}\r\n`),
  'odd-chunk': (socket) =>
    socket.end(
      `HTTP/1.1 200 OK\r\n${fresh}Transfer-Encoding: chunked\r\n\r\n64\r\n${'c'.repeat(100)}\r\nzz\r\n0\r\n\r\n`,
    ),
  'resets-in-its-content': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: 1000\r\n\r\n${'c'.repeat(100)}`, () =>
      socket.resetAndDestroy(),
    ),
  'says-more-than-its-length': (socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${fresh}Content-Length: 100\r\n\r\n${'c'.repeat(5000)}`),
  'endless-content': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${fresh}\r\n`);
    forever(socket, () => 'c'.repeat(16_384));
  },
};

/** A server that answers `/WORD` or `/WORD/...` with the fault of that name; `/good` gets a valid answer. */
export class BadOrigin implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Map<Socket, string>();
  readonly #asked = new Map<string, number>();

  private constructor() {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async open(): Promise<BadOrigin> {
    const origin = new BadOrigin();
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Number of requests for a path. */
  asked(path: string): number {
    return this.#asked.get(path) ?? 0;
  }

  /** Connections on which this path is still being answered, and the bytes sent on them. */
  answering(path: string): readonly number[] {
    return [...this.#open].filter(([, other]) => other === path).map(([socket]) => socket.bytesWritten);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open.keys()) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#open.set(socket, '');
    socket.on('error', () => {});
    socket.once('close', () => this.#open.delete(socket));
    let head = '';
    socket.on('data', (bytes: Buffer) => {
      head += bytes.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      const path = /^[A-Z]+ (\S+)/.exec(head)?.[1] ?? '';
      head = '';
      this.#asked.set(path, this.asked(path) + 1);
      this.#open.set(socket, path);
      const misdeed = misdeeds[path.split('/')[1] ?? ''];
      if (misdeed !== undefined) misdeed(socket);
      else socket.write('HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 4\r\n\r\ngood');
    });
  }
}
