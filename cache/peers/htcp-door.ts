import { normalisedUrl, type RawFields } from '../rules/index.ts';
import {
  decodeHtcp,
  encodeHtcp,
  type HtcpRequest,
  type HtcpResponse,
  type HtcpSpecifier,
  unknownHtcpOperation,
} from './htcp.ts';
import { type HtcpKey, htcpSignature, signHtcp } from './htcp-signature.ts';
import type { IcpReplyName } from './icp.ts';
import { maxLookups } from './peer-lookup-model.ts';
import { type DoorCounts, UdpDoor, type UdpDoorOptions } from './udp-door.ts';
import type { UdpPlace } from './udp-socket.ts';

export interface HtcpDoorOptions extends UdpDoorOptions {
  /** Decided by address and port: peers on the same machine may have different rights. */
  readonly mayClear: (place: UdpPlace) => boolean;
  /** Remove what is stored for a URL, all variants; returns whether there was anything. */
  readonly clear: (url: string) => boolean | Promise<boolean>;
  /**
   * The key that signs all HTCP with a place, and our address as seen from there; undefined where nothing is
   * signed. Without an address nothing is sent there and nothing accepted.
   */
  readonly keyFor?: (place: UdpPlace) => { readonly key: HtcpKey; readonly ownAddress: string } | undefined;
}

/** RFC 2756 section 2: overall responses. */
const [notSigned, badlySigned, notAllowed] = [0, 1, 5];
const maxFields = 64;

/** Speaks the Hyper Text Caching Protocol (RFC 2756: TST, CLR, NOP) on one UDP port, as client and server. */
export class HtcpDoor extends UdpDoor<HtcpDoorOptions> {
  #cleared = 0;

  /** Listen. Rejects with the system's error when the port is taken. */
  static async open(options: HtcpDoorOptions): Promise<HtcpDoor> {
    const door = new HtcpDoor(options);
    await door.listen();
    return door;
  }

  override counts(): DoorCounts & { readonly cleared: number } {
    return { ...super.counts(), cleared: this.#cleared };
  }

  /** Query a peer for a response to a GET with these fields (TST). */
  ask(url: string, fields: RawFields, to: UdpPlace, answered: (reply: IcpReplyName) => void): () => void {
    const id = this.questions.ask({ to, url, answered });
    const specifier = { method: 'GET', url, version: 'HTTP/1.1', fields: linesOf(fields) };
    this.#send({ kind: 'request', op: 'test', minor: 1, id, wantsAnswer: true, specifier }, to);
    return () => this.questions.forget(id);
  }

  /** Have a peer remove what it has for a URL (CLR). It need not obey, and no answer is requested. */
  clear(url: string, to: UdpPlace): void {
    const [a = 0, b = 0, c = 0] = this.options.random.bytes(3);
    const id = (a << 16) | (b << 8) | c;
    const specifier = { method: 'GET', url, version: 'HTTP/1.1', fields: '' };
    this.#send({ kind: 'request', op: 'clear', minor: 1, id, wantsAnswer: false, reason: 1, specifier }, to);
  }

  override receive(datagram: Uint8Array, from: UdpPlace): void {
    this.seen.received++;
    const message = decodeHtcp(datagram);
    const signature = this.#signatureOf(datagram, from);
    if (message !== undefined && signature !== 'good') {
      this.#unsigned(message, from, signature === 'absent' ? notSigned : badlySigned);
      return;
    }
    if (message?.kind === 'request') {
      this.#request(message, from);
      return;
    }
    if (message?.kind === 'response') {
      const reply = message.overall ? 'denied' : message.op === 'test' && message.code === 0 ? 'hit' : 'miss';
      if (this.questions.answered(message.id, from, reply)) return;
    }
    this.seen.unusable++;
    const refusal = message === undefined ? unknownHtcpOperation(datagram) : undefined;
    if (refusal && this.options.mayAsk(from.address)) this.#send(refusal, from);
  }

  /** Without a key every datagram is good. */
  #signatureOf(datagram: Uint8Array, from: UdpPlace): 'good' | 'bad' | 'absent' {
    const signing = this.options.keyFor?.(from);
    if (signing === undefined) return 'good';
    const to = { address: signing.ownAddress, port: this.port };
    return htcpSignature(datagram, signing.key, { from, to }, this.options.clock.now() / 1000);
  }

  #unsigned(message: HtcpRequest | HtcpResponse, from: UdpPlace, code: number): void {
    if (message.kind === 'response') {
      this.seen.unusable++;
      return;
    }
    this.seen.asked++;
    this.seen.denied++;
    if (this.denials.mayReport(from.address)) this.#answer(message, from, code, true);
  }

  #request(request: HtcpRequest, from: UdpPlace): void {
    this.seen.asked++;
    const { mayAsk, mayClear } = this.options;
    const allowed = request.op === 'clear' ? mayClear(from) : mayAsk(from.address);
    if (!allowed) {
      this.seen.denied++;
      if (this.denials.mayReport(from.address)) this.#answer(request, from, notAllowed, true);
      return;
    }
    if (request.op === 'nop') {
      this.#answer(request, from, 0);
      return;
    }
    if (this.lookups >= maxLookups) {
      this.seen.dropped++;
      return;
    }
    this.lookups++;
    const work = request.op === 'test' ? this.#test(request.specifier) : this.#clear(request.specifier);
    void work.then((code) => {
      this.lookups--;
      this.#answer(request, from, code);
    });
  }

  /** RFC 2756 3.2: 0 when it is stored, 1 when not. A failed look-up counts as not stored. */
  async #test({ method, url, fields }: HtcpSpecifier): Promise<0 | 1> {
    const raw = fieldsOf(fields);
    const key = method === 'GET' || method === 'HEAD' ? normalisedUrl(url) : undefined;
    const there = !!key && !!raw && (await this.isFresh(key, raw));
    if (there) this.seen.hits++;
    else this.seen.misses++;
    return there ? 0 : 1;
  }

  /** RFC 2756 3.5: 0 when it was removed, 1 when it stays, 2 when it was not stored. */
  async #clear({ url }: HtcpSpecifier): Promise<0 | 1 | 2> {
    const key = normalisedUrl(url);
    if (key === undefined) return 2;
    try {
      const isRemoved = await this.options.clear(key);
      if (isRemoved) this.#cleared++;
      return isRemoved ? 0 : 2;
    } catch {
      return 1;
    }
  }

  #answer(request: HtcpRequest, to: UdpPlace, code: number, overall = false): void {
    if (!request.wantsAnswer) return;
    const { minor, id, op } = request;
    // Three empty texts for fields, which the requester gets over HTTP; squid requires them for a miss too.
    const blocks = op === 'test' && !overall ? ['', '', ''] : [];
    this.#send({ kind: 'response', minor, id, op, code, overall, blocks }, to);
  }

  #send(message: Parameters<typeof encodeHtcp>[0], to: UdpPlace): void {
    const plain = encodeHtcp(message);
    const signing = this.options.keyFor?.(to);
    const from = signing && { address: signing.ownAddress, port: this.port };
    const bytes =
      plain && signing && from
        ? signHtcp(plain, signing.key, { from, to }, this.options.clock.now() / 1000)
        : plain;
    this.sendBytes(bytes, to);
  }
}

/** Fields as lines, as many as fit into an unfragmented datagram. */
function linesOf(fields: RawFields): string {
  let lines = '';
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const line = `${fields[at]}: ${fields[at + 1]}\r\n`;
    if (lines.length + line.length <= 1000) lines += line;
  }
  return lines;
}

/** Lines as fields; undefined when they are invalid. */
function fieldsOf(lines: string): RawFields | undefined {
  const raw: string[] = [];
  for (const line of lines.split('\r\n')) {
    if (line === '') continue;
    const field = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}):[ \t]*(.*?)[ \t]*$/.exec(line);
    if (!field || raw.length >= maxFields * 2) return undefined;
    raw.push(field[1] ?? '', field[2] ?? '');
  }
  return raw;
}
