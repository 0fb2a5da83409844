import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { plainAddress } from './source-list.ts';

/** Max datagrams in the send queue; further ones are dropped, as a network would drop them. */
const maxWaiting = 1024;

export interface UdpPlace {
  readonly address: string;
  readonly port: number;
}

/** Our address as this place sees it, unless one was chosen; empty when there is no route. */
export async function ownAddressFor({ address, port }: UdpPlace, chosen = ''): Promise<string> {
  if (isIP(chosen) !== 0 && chosen !== '0.0.0.0' && chosen !== '::') return chosen;
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    // Nothing is sent: the operating system only chooses the route.
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect(port, address, () => resolve());
    });
    return socket.address().address;
  } catch {
    return '';
  } finally {
    socket.close();
  }
}

/** A bound UDP socket: IPv4, or both when the host is an IPv6 address. */
export class UdpSocket implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #six: boolean;
  #closed = false;
  #dropped = 0;

  private constructor(socket: Socket, six: boolean) {
    this.#socket = socket;
    this.#six = six;
  }

  /** Bind; port 0 is any. Rejects with the system's error when the port is taken. `receive` must not throw. */
  static async open(options: {
    readonly host: string;
    readonly port: number;
    readonly receive: (datagram: Uint8Array, from: UdpPlace) => void;
  }): Promise<UdpSocket> {
    const six = isIPv6(options.host);
    const socket = createSocket({ type: six ? 'udp6' : 'udp4' });
    const udp = new UdpSocket(socket, six);
    socket.on('message', (datagram, { address, port }) =>
      options.receive(datagram, { address: plainAddress(address), port }),
    );
    const bound = once(socket, 'listening');
    socket.bind({ address: options.host, port: options.port, exclusive: true });
    try {
      await bound;
    } catch (error) {
      socket.close();
      throw error;
    }
    // The socket emits an error for an unreachable receiver; its missing answer shows the same.
    socket.on('error', () => {
      udp.#dropped++;
    });
    return udp;
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get address(): string {
    return this.#socket.address().address;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Send without waiting. False when it was dropped: delivery over UDP is never guaranteed. */
  send(bytes: Uint8Array, { address, port }: UdpPlace): boolean {
    const four = isIPv4(address);
    if (this.#closed || (!four && !this.#six) || this.#socket.getSendQueueCount() >= maxWaiting) {
      this.#dropped++;
      return false;
    }
    this.#socket.send(bytes, port, four && this.#six ? `::ffff:${address}` : address, (error) => {
      if (error) this.#dropped++;
    });
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
