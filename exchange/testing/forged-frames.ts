import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { schemes } from '../../awareness/index.ts';
import { type Random, systemClock, systemRandom } from '../../kernel/index.ts';
import {
  type Channel,
  connect,
  type Message,
  type SendOptions,
  type Session,
  WireServer,
} from '../../wire/index.ts';
import { answerVerbs, sourceVerbs } from '../serve.ts';
import type { TwoStores } from './two-stores.ts';

/** The fate of a message on its way: its replacements, and whether the channel breaks after them. */
export interface Forged {
  readonly messages: readonly Message[];
  readonly cut: boolean;
}

export type Forger = (message: Message, last: boolean) => Forged;

/** A channel whose messages somebody on the way can change. */
class TamperedChannel implements Channel {
  readonly #inner: Channel;
  readonly #forge: Forger;

  constructor(inner: Channel, forge: Forger) {
    this.#inner = inner;
    this.#forge = forge;
  }

  get id(): number {
    return this.#inner.id;
  }

  async send(message: Message, options: SendOptions = {}): Promise<void> {
    const { messages, cut } = this.#forge(message, options.end === true);
    for (const [i, each] of messages.entries())
      await this.#inner.send(each, { ...options, end: options.end === true && i === messages.length - 1 });
    if (cut) await this.#inner.abort(new Error('cut'));
    else if (messages.length === 0 && options.end === true) await this.#inner.end();
  }

  end = (): Promise<void> => this.#inner.end();
  abort = (reason: unknown): Promise<void> => this.#inner.abort(reason);
  receive = (signal?: AbortSignal): Promise<Message | undefined> => this.#inner.receive(signal);
  [Symbol.asyncIterator] = (): AsyncIterator<Message> => this.#inner[Symbol.asyncIterator]();
  [Symbol.asyncDispose] = (): PromiseLike<void> => this.#inner[Symbol.asyncDispose]();
}

/**
 * The source of `bench` served once more, over the channels that `serve` makes. The server has the source's key for the
 * handshake; a forger does not have it.
 */
export async function serveForged(
  bench: TwoStores,
  serve: (channel: Channel, message: Message, session: Session) => Promise<void>,
): Promise<() => Promise<Session>> {
  const wire = bench.own(
    new WireServer({
      identity: bench.gatherer,
      name: 'site',
      role: 'gatherer',
      clock: systemClock,
      random: systemRandom,
      onChannel: serve,
    }),
  );
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  bench.own({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => http.close(() => resolve())) });
  const { port } = http.address() as AddressInfo;
  return () =>
    connect({
      url: `ws://127.0.0.1:${port}`,
      identity: bench.broker,
      name: 'topic',
      role: 'broker',
      clock: systemClock,
      random: systemRandom,
    });
}

/** The honest store's answers, each message as `forge` lets it through. */
export function tampered(bench: TwoStores, forge: Forger): Parameters<typeof serveForged>[1] {
  const { source, gatherer, clock } = bench;
  const { serverId, sign } = gatherer;
  const answer = answerVerbs(sourceVerbs({ source, serverId, sign, clock }));
  return (channel, message, session) => answer(new TamperedChannel(channel, forge), message, session);
}

/** The session in which every message of the client is tampered with. */
export function tamperedSession(session: Session, forge: Forger): Session {
  return new Proxy(session, {
    get: (target, name) => {
      if (name === 'open')
        return async (first: Message, options?: Parameters<Session['open']>[1]) => {
          const [message = first] = forge(first, options?.end === true).messages;
          return new TamperedChannel(await target.open(message, options), forge);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const numbers = [0, 1, -1, 1.5, 2 ** 32, 2 ** 53 - 1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY];
const things: readonly unknown[] = [
  null,
  true,
  '',
  'x',
  [],
  [[]],
  {},
  7n,
  new Uint8Array(),
  new Uint8Array(5),
  [5],
  [null],
];

/** Makes false messages of true ones. */
export class ForgedFrames {
  readonly #random: Random;
  readonly #seen: Message[] = [];
  /** Handles and ids that a forger would like to be believed. */
  bait: { readonly handles: readonly Uint8Array[]; readonly ids: readonly Uint8Array[] } = {
    handles: [],
    ids: [],
  };
  /** Messages that differ from the honest side's. */
  forged = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** A forger that leaves some messages alone. */
  readonly forge: Forger = (message, last) => {
    this.#remember(message);
    if (this.#random.next() < 0.3) return { messages: [message], cut: false };
    const messages = this.#instead(message);
    this.forged += messages.length;
    const keepsTurn = (each: Message) =>
      ['end', 'cells', 'unsuited'].some((name) => each[name] !== undefined);
    // Two sides that wait for one another would wait until their limit, a quarter of an hour.
    const cells = message.cells !== undefined && messages.some((each) => each.cells !== message.cells);
    const silent =
      !last && (cells || ((message.type !== 'tell' || keepsTurn(message)) && !messages.some(keepsTurn)));
    return { messages, cut: silent || this.#random.next() < 0.05 };
  };

  #remember(message: Message): void {
    if (this.#seen.length < 400) this.#seen.push(message);
    else this.#seen[this.below(400)] = message;
  }

  #instead(message: Message): readonly Message[] {
    const kind = this.below(12);
    if (kind === 0) return [];
    if (kind === 1) return Array.from({ length: 2 + this.below(3) }, () => message);
    if (kind === 2) return [this.pick(this.#seen)];
    if (kind === 3) return [this.pick(this.#seen), message];
    if (kind === 4) return [message, this.pick(this.#seen)];
    if (kind === 5) return [this.#invented(message)];
    if (kind === 6) {
      // Fields of two true messages.
      const other = this.pick(this.#seen);
      const name = this.pick(Object.keys(other));
      return [{ ...message, [name]: other[name] } as Message];
    }
    let forged = message;
    for (let times = 1 + this.below(3); times > 0; times--) forged = this.#changed(forged);
    return [forged];
  }

  /** A message with one thing changed. */
  #changed(message: Message): Message {
    const names = Object.keys(message);
    const name = this.pick(names);
    const value = message[name];
    if (name === 'type')
      return this.below(4) === 0
        ? { ...message, type: this.pick(['same', 'tell', 'hint', 'cells', 'x']) }
        : message;
    const what = this.below(10);
    if (what === 0) {
      const { [name]: _, ...rest } = message;
      return rest as Message;
    }
    if (what === 1) return { ...message, [name]: this.pick(things) };
    if (what === 2) return { ...message, by: this.pick(schemes).name };
    return { ...message, [name]: this.#mutated(value) };
  }

  #mutated(value: unknown): unknown {
    if (value instanceof Uint8Array) return this.#bytes(value);
    if (typeof value === 'number')
      return this.below(2) === 0 ? this.pick(numbers) : value + this.below(5) - 2;
    if (typeof value === 'string') return this.below(2) === 0 ? this.pick(schemes).name : `${value}x`;
    if (Array.isArray(value)) {
      const list = [...(value as unknown[])];
      const at = this.below(Math.max(1, list.length));
      const what = this.below(5);
      if (what === 0) list.splice(at, 1);
      else if (what === 1) list.push(list[at]);
      else if (what === 2) list.reverse();
      else if (what === 3) list[at] = this.pick(things);
      else list[at] = this.#mutated(list[at]);
      return list;
    }
    return this.pick(things);
  }

  #bytes(bytes: Uint8Array): Uint8Array {
    const what = this.below(6);
    if (what === 0) return bytes.slice(0, this.below(bytes.length + 1));
    if (what === 1) return Buffer.concat([bytes, this.#random.bytes(1 + this.below(40))]);
    if (what === 2) return this.#random.bytes(this.pick([0, 6, 16, 18, 28, 32, 64, 96, 288]));
    if (what === 3) return Buffer.concat([bytes, bytes]);
    const flipped = Uint8Array.from(bytes);
    if (flipped.length > 0) {
      const at = this.below(flipped.length);
      flipped[at] = (flipped[at] as number) ^ (1 << this.below(8));
    }
    return flipped;
  }

  /** An invented answer, as an attacker on the copy might make it. */
  #invented(message: Message): Message {
    const handles = Buffer.concat(this.bait.handles);
    const some = this.bait.handles.length === 0 ? handles : this.pick(this.bait.handles);
    const ids = Buffer.concat(this.bait.ids);
    const opening = message.s === undefined ? {} : { s: message.s };
    const sig =
      this.below(2) === 0
        ? {}
        : { sig: this.pick([message.sig ?? this.#random.bytes(64), this.#random.bytes(64)]) };
    const saying = this.pick([
      { gone: handles, lsn: 1 },
      { gone: some },
      { lost: ids },
      { ids: new Uint8Array() },
      { new: new Uint8Array(), end: true },
      { by: 'short-ids', ids: new Uint8Array(), end: true },
      { by: 'signature', end: true },
      { by: 'simple-snapshot', end: true },
      { by: 'simple-snapshot', ...(message.put === undefined ? {} : { put: message.put }), end: true },
      { new: Buffer.concat([some, this.#random.bytes(16)]) },
      { groups: Uint8Array.of(4, 0), end: true },
      { cells: this.pick([1, 1000, 100_000, 2 ** 50]) },
      { unsuited: this.pick([0, 5, 2 ** 50]) },
      { lsn: this.pick([1, 10, 2 ** 50]), end: true },
      { end: true },
      { end: true, put: message.put ?? [] },
      {},
    ]);
    return { type: 'tell', ...opening, ...saying, ...sig };
  }
}
