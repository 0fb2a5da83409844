import type { Clock, Random } from '../../kernel/index.ts';
import type { RawFields } from '../rules/index.ts';
import { DenialLimit } from './denial-limit.ts';
import { freshSeconds, type PeerLookup } from './peer-lookup-model.ts';
import { PendingQueries } from './pending-queries.ts';
import { type UdpPlace, UdpSocket } from './udp-socket.ts';

/** Counts of a door for datagrams. */
export interface DoorCounts {
  readonly received: number;
  /** Messages that violate the protocol, and answers without a query. */
  readonly unusable: number;
  readonly asked: number;
  readonly hits: number;
  readonly misses: number;
  readonly denied: number;
  /** Dropped because of overload. */
  readonly dropped: number;
}

export interface UdpDoorOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup: PeerLookup;
  readonly mayAsk: (address: string) => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

/** What the doors for ICP and for HTCP have in common: one UDP port, queries of both sides, and counts. */
export abstract class UdpDoor<Options extends UdpDoorOptions> implements AsyncDisposable {
  protected readonly options: Options;
  protected readonly questions: PendingQueries;
  protected readonly denials: DenialLimit;
  protected readonly seen = { received: 0, unusable: 0, asked: 0, hits: 0, misses: 0, denied: 0, dropped: 0 };
  protected lookups = 0;
  #socket: UdpSocket | undefined;

  constructor(options: Options) {
    this.options = options;
    this.questions = new PendingQueries(options.random);
    this.denials = new DenialLimit(options.clock);
  }

  /** Handle a received datagram. Never throws. */
  abstract receive(datagram: Uint8Array, from: UdpPlace): void;

  /** Rejects with the system's error when the port is taken. */
  protected async listen(): Promise<void> {
    const { host, port } = this.options;
    this.#socket = await UdpSocket.open({ host, port, receive: (bytes, from) => this.receive(bytes, from) });
  }

  get port(): number {
    return this.#socket?.port ?? 0;
  }

  counts(): DoorCounts {
    return { ...this.seen, dropped: this.seen.dropped + (this.#socket?.dropped ?? 0) };
  }

  protected sendBytes(bytes: Uint8Array | undefined, to: UdpPlace): void {
    if (bytes) this.#socket?.send(bytes, to);
  }

  /** Whether it is stored and fresh. A failed look-up counts as not. */
  protected async isFresh(url: string, fields: RawFields): Promise<boolean> {
    try {
      const { lookup } = this.options;
      return lookup.has(url) && (await lookup.isFresh(url, fields, freshSeconds));
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket?.[Symbol.asyncDispose]();
  }
}
