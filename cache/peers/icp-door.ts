import type { Clock, Random } from '../../kernel/index.ts';
import { normalisedUrl } from '../rules/index.ts';
import { DenialLimit } from './denial-limit.ts';
import { decodeIcp, encodeIcp, type IcpQuery, type IcpReplyName } from './icp.ts';
import { freshSeconds, maxLookups, type PeerLookup } from './peer-lookup-model.ts';
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

export interface IcpDoorOptions {
  readonly host: string;
  readonly port: number;
  readonly lookup: PeerLookup;
  readonly mayAsk: (address: string) => boolean;
  /** False while the store is being loaded: peers are asked not to fetch from us what they miss. */
  readonly ready: () => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

/** Speaks ICP version 2 (RFC 2186) on one UDP port: squid accepts answers only from the queried port. */
export class IcpDoor implements AsyncDisposable {
  readonly #options: IcpDoorOptions;
  readonly #questions: PendingQueries;
  readonly #denials: DenialLimit;
  #socket: UdpSocket | undefined;
  #lookups = 0;
  #counts = { received: 0, unusable: 0, asked: 0, hits: 0, misses: 0, denied: 0, dropped: 0 };

  private constructor(options: IcpDoorOptions) {
    this.#options = options;
    this.#questions = new PendingQueries(options.random);
    this.#denials = new DenialLimit(options.clock);
  }

  /** Listen. Rejects with the system's error when the port is taken. */
  static async open(options: IcpDoorOptions): Promise<IcpDoor> {
    const door = new IcpDoor(options);
    const { host, port } = options;
    door.#socket = await UdpSocket.open({ host, port, receive: (bytes, from) => door.receive(bytes, from) });
    return door;
  }

  get port(): number {
    return this.#socket?.port ?? 0;
  }

  counts(): DoorCounts {
    return { ...this.#counts, dropped: this.#counts.dropped + (this.#socket?.dropped ?? 0) };
  }

  /** Query a peer for an object. `answered` is called at most once; the returned function forgets the query. */
  ask(url: string, to: UdpPlace, answered: (reply: IcpReplyName) => void): () => void {
    const requestNumber = this.#questions.ask({ to, url, answered });
    const query = encodeIcp({ kind: 'query', requestNumber, url, takesObject: false, wantsRtt: false });
    if (query) this.#socket?.send(query, to);
    return () => this.#questions.forget(requestNumber);
  }

  /** Have a datagram echoed by the echo port of an origin (RFC 2186 section 2, SECHO). */
  echo(url: string, to: UdpPlace, answered: () => void): () => void {
    const requestNumber = this.#questions.ask({ to, url, answered });
    const echo = encodeIcp({ kind: 'source-echo', requestNumber, url });
    if (echo) this.#socket?.send(echo, to);
    return () => this.#questions.forget(requestNumber);
  }

  /** Handle a received datagram. Never throws. */
  receive(datagram: Uint8Array, from: UdpPlace): void {
    this.#counts.received++;
    const message = decodeIcp(datagram);
    if (message?.kind === 'query') this.#query(message, from);
    else if (!message || !this.#questions.answered(message.requestNumber, from, message.kind, message.url))
      this.#counts.unusable++;
  }

  #query(query: IcpQuery, from: UdpPlace): void {
    this.#counts.asked++;
    const { mayAsk, lookup, ready } = this.#options;
    if (!mayAsk(from.address)) {
      if (this.#denials.mayReport(from.address)) this.#answer(query, from, 'denied');
      else this.#counts.dropped++;
      return;
    }
    const url = normalisedUrl(query.url);
    if (url === undefined) {
      this.#answer(query, from, 'error');
      return;
    }
    if (!ready() || !lookup.has(url)) {
      this.#answer(query, from, ready() ? 'miss' : 'miss-no-fetch');
      return;
    }
    if (this.#lookups >= maxLookups) {
      this.#counts.dropped++;
      return;
    }
    this.#lookups++;
    void isFresh(lookup, url).then((fresh) => {
      this.#lookups--;
      this.#answer(query, from, fresh ? 'hit' : 'miss');
    });
  }

  #answer({ requestNumber, url }: IcpQuery, to: UdpPlace, kind: IcpReplyName): void {
    if (kind === 'hit') this.#counts.hits++;
    else if (kind === 'denied') this.#counts.denied++;
    else this.#counts.misses++;
    const reply = encodeIcp({ kind, requestNumber, url });
    if (reply) this.#socket?.send(reply, to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#socket?.[Symbol.asyncDispose]();
  }
}

/** A failed look-up counts as not fresh. */
async function isFresh(lookup: PeerLookup, url: string): Promise<boolean> {
  try {
    return await lookup.isFresh(url, [], freshSeconds);
  } catch {
    return false;
  }
}
