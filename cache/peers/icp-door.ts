import { normalisedUrl } from '../rules/index.ts';
import { decodeIcp, encodeIcp, type IcpQuery, type IcpReplyName } from './icp.ts';
import { maxLookups } from './peer-lookup-model.ts';
import { UdpDoor, type UdpDoorOptions } from './udp-door.ts';
import type { UdpPlace } from './udp-socket.ts';

export interface IcpDoorOptions extends UdpDoorOptions {
  /** False while the store is being loaded: peers are asked not to fetch from us what they miss. */
  readonly ready: () => boolean;
}

/** Speaks ICP version 2 (RFC 2186) on one UDP port: squid accepts answers only from the queried port. */
export class IcpDoor extends UdpDoor<IcpDoorOptions> {
  /** Listen. Rejects with the system's error when the port is taken. */
  static async open(options: IcpDoorOptions): Promise<IcpDoor> {
    const door = new IcpDoor(options);
    await door.listen();
    return door;
  }

  /** Query a peer for an object. `answered` is called at most once; the returned function forgets the query. */
  ask(url: string, to: UdpPlace, answered: (reply: IcpReplyName) => void): () => void {
    const requestNumber = this.questions.ask({ to, url, answered });
    const query = encodeIcp({ kind: 'query', requestNumber, url, takesObject: false, wantsRtt: false });
    this.sendBytes(query, to);
    return () => this.questions.forget(requestNumber);
  }

  /** Have a datagram echoed by the echo port of an origin (RFC 2186 section 2, SECHO). */
  echo(url: string, to: UdpPlace, answered: () => void): () => void {
    const requestNumber = this.questions.ask({ to, url, answered });
    const echo = encodeIcp({ kind: 'source-echo', requestNumber, url });
    this.sendBytes(echo, to);
    return () => this.questions.forget(requestNumber);
  }

  override receive(datagram: Uint8Array, from: UdpPlace): void {
    this.seen.received++;
    const message = decodeIcp(datagram);
    if (message?.kind === 'query') this.#query(message, from);
    else if (!message || !this.questions.answered(message.requestNumber, from, message.kind, message.url))
      this.seen.unusable++;
  }

  #query(query: IcpQuery, from: UdpPlace): void {
    this.seen.asked++;
    const { mayAsk, lookup, ready } = this.options;
    if (!mayAsk(from.address)) {
      if (this.denials.mayReport(from.address)) this.#answer(query, from, 'denied');
      else this.seen.dropped++;
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
    if (this.lookups >= maxLookups) {
      this.seen.dropped++;
      return;
    }
    this.lookups++;
    void this.isFresh(url, []).then((fresh) => {
      this.lookups--;
      this.#answer(query, from, fresh ? 'hit' : 'miss');
    });
  }

  #answer({ requestNumber, url }: IcpQuery, to: UdpPlace, kind: IcpReplyName): void {
    if (kind === 'hit') this.seen.hits++;
    else if (kind === 'denied') this.seen.denied++;
    else this.seen.misses++;
    this.sendBytes(encodeIcp({ kind, requestNumber, url }), to);
  }
}
