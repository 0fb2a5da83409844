import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const errorByte = 0xff;
const endByte = 0xfe;
const queryCommand = 3;

/** One connection to searchd by a part of the MySQL protocol: greeting, login and text queries. */
export class SphinxSession implements Disposable {
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).on('data', (bytes: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, bytes]);
    });
  }

  /** Log in at a port of this machine. Throws the error of connecting. */
  static async open(port: number): Promise<SphinxSession> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const session = new SphinxSession(socket);
    await session.#packet();
    const login = Buffer.alloc(34);
    // Protocol 4.1, secure connection; no name and no password.
    login.writeUInt32LE(0x8200, 0);
    login.writeUInt32LE(1 << 24, 4);
    login[8] = 33;
    session.#send(login, 1);
    session.#check(await session.#packet());
    return session;
  }

  /** Run a query and read its rows; resolves to their number. Throws an Error with searchd's message. */
  async query(text: string): Promise<number> {
    this.#send(Buffer.concat([Buffer.from([queryCommand]), Buffer.from(text)]), 0);
    this.#check(await this.#packet());
    // Columns end with one EOF packet, rows with the next.
    while ((await this.#packet())[0] !== endByte);
    let rows = 0;
    while ((await this.#packet())[0] !== endByte) rows++;
    return rows;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #send(body: Buffer, sequence: number): void {
    const head = Buffer.from([body.length & 255, (body.length >> 8) & 255, body.length >> 16, sequence]);
    this.#socket.write(Buffer.concat([head, body]));
  }

  async #packet(): Promise<Buffer> {
    for (;;) {
      const length = this.#bytes.length < 4 ? Number.NaN : this.#bytes.readUIntLE(0, 3);
      if (this.#bytes.length >= 4 + length) {
        const body = this.#bytes.subarray(4, 4 + length);
        this.#bytes = this.#bytes.subarray(4 + length);
        return body;
      }
      await once(this.#socket, 'data');
    }
  }

  #check(packet: Buffer): void {
    if (packet[0] === errorByte) throw new Error(`searchd: ${packet.subarray(9).toString()}`);
  }
}
