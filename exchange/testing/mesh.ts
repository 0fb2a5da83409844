import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Replica, withApply } from '../../awareness/index.ts';
import { ManualClock, type Random, systemRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  identityFrom,
  newIdentitySecret,
  type Oid,
  oidOf,
  provenanceBytes,
  summaryObject,
  withdrawalBytes,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import type { Channel, Message, Peer, Session } from '../../wire/index.ts';
import { collect } from '../collect.ts';
import { MemoryKeyring } from '../keyring.ts';
import { collectPaths } from '../paths.ts';
import { sourceVerbs, type Verb } from '../serve.ts';

// Servers of one process that collect from each other as Brokers do, rounds and paths, without a wire in between.

/** The messages on their way in one direction. */
class Line {
  readonly #messages: Message[] = [];
  #isEnded = false;
  #fault: unknown;
  #wake = () => {};

  send(message: Message): void {
    this.#messages.push(structuredClone(message));
    this.#wake();
  }

  end(fault?: unknown): void {
    this.#isEnded = true;
    this.#fault ??= fault;
    this.#wake();
  }

  async receive(): Promise<Message | undefined> {
    for (;;) {
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      if (this.#fault !== undefined) throw this.#fault;
      if (this.#isEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

function channelOver(out: Line, into: Line): Channel {
  return {
    id: 1,
    send: async (message, options) => {
      out.send(message);
      if (options?.end === true) out.end();
    },
    end: async () => out.end(),
    abort: async (reason) => out.end(reason),
    receive: () => into.receive(),
    [Symbol.asyncIterator]: async function* () {
      for (let message = await into.receive(); message; message = await into.receive()) yield message;
    },
    [Symbol.asyncDispose]: async () => out.end(),
  };
}

const noTraffic = {
  ...{ handshakeSent: 0, handshakeReceived: 0, sentBytes: 0, receivedBytes: 0 },
  ...{ sentFrames: 0, receivedFrames: 0, sentDecodedBytes: 0, receivedDecodedBytes: 0 },
};
const measures = { roundTripMs: 1, bytesPerSecond: 20_000 };

/** A session whose channels are answered by these verbs. `onAsk` may change each opening message. */
function directSession(
  from: Identity,
  to: Identity,
  role: string,
  verbs: Readonly<Record<string, Verb>>,
  onAsk: (message: Message) => Message = (message) => message,
): Session {
  const peerOf = ({ serverId, publicKey, succession }: Identity, its: string): Peer => ({
    ...(succession && { succession }),
    ...{ serverId, publicKey, name: its, role: its, software: 'garner' },
  });
  const session = (peer: Peer): Session => ({
    ...{ peer, where: 'here', traffic: noTraffic, measures: measures as Session['measures'] },
    closed: new Promise(() => {}),
    open: async (first, options) => {
      const [up, down] = [new Line(), new Line()];
      if (options?.end === true) up.end();
      const asked = structuredClone(onAsk(first));
      const [near, far] = [channelOver(up, down), channelOver(down, up)];
      const verb = verbs[asked.type];
      if (verb === undefined) throw new TypeError(`no verb ${asked.type}`);
      const client = peerOf(from, 'broker');
      verb(far, asked, client, session(client)).then(
        () => down.end(),
        (error: unknown) => down.end(error),
      );
      return near;
    },
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  });
  return session(peerOf(to, role));
}

/** A copy as a client of garner 0.2 has it: it is sent no withdrawals. */
function withoutKnown(replica: Replica): Replica {
  const { known: _, ...rest } = withApply(replica, replica.apply);
  return rest;
}

/** A server of the mesh. An old one neither asks for withdrawals nor sends them. */
export class MeshNode {
  identity: Identity = identityFrom(newIdentitySecret());
  readonly keyring = new MemoryKeyring();
  readonly role: string;
  readonly isOld: boolean;
  store!: ObjectStore;
  readonly #mesh: Mesh;
  readonly #name: string;
  #path = '';

  constructor(mesh: Mesh, name: string, role: string, isOld: boolean) {
    this.#mesh = mesh;
    this.#name = name;
    this.role = role;
    this.isOld = isOld;
  }

  /** Open the store, with chance of its own or a given one, perhaps under another name. */
  async open(random: Random = systemRandom, name = this.#name): Promise<void> {
    this.#path = join(this.#mesh.path, name);
    const database = await openDatabase(this.#path);
    this.store = await ObjectStore.open(database, { clock: this.#mesh.clock, random });
  }

  /** Make an object's rows unreadable, the one with its URL too. */
  async damage(oid: Oid): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    {
      await using database = await openDatabase(this.#path);
      const letters = ['o', 'b'];
      for await (const [key] of database.entries())
        if (letters.includes(String.fromCharCode(key[0] ?? 0)) && key.length === 33)
          if (Buffer.from(key.subarray(1)).toString('base64url') === oid)
            await database.batch([{ type: 'put', key, value: Buffer.from('x') }]);
    }
    await this.open();
  }

  get verbs(): Readonly<Record<string, Verb>> {
    const { store, identity, keyring } = this;
    return sourceVerbs({
      ...{
        source: store,
        serverId: identity.serverId,
        sign: identity.sign,
        clock: this.#mesh.clock,
        keyring,
      },
      linkTo: () => measures,
      ...(this.role === 'broker' && { pathsOf: (oids: Iterable<Oid>) => store.pathsOf([...oids]) }),
    });
  }

  /** A session with a source; `onAsk` is called with the type of each question. */
  sessionWith(source: MeshNode, onAsk?: (type: string) => void): Session {
    return directSession(this.identity, source.identity, source.role, source.verbs, (message) => {
      onAsk?.(message.type);
      const { withdrawals: _, withdrawn: __, ...rest } = message;
      return source.isOld ? (rest as Message) : message;
    });
  }

  /** One round as a Broker has it: the objects, their paths, and the objects that these made wanted. */
  async collectFrom(source: MeshNode, scheme?: string, onAsk?: (type: string) => void): Promise<void> {
    const { store, keyring, identity } = this;
    const session = this.sessionWith(source, onAsk);
    const { serverId } = source.identity;
    const held = await store.replica(serverId);
    const replica = this.isOld ? withoutKnown(held) : held;
    const common = { session, keyring, clock: this.#mesh.clock, name: 'source', deleteGuard: 0.2 };
    const round = () => collect({ ...common, replica, ...(scheme === undefined ? {} : { scheme }) });
    await round();
    if (source.role !== 'broker') return;
    const { marker, count } = await replica.state();
    if (marker === undefined) return;
    const book = await store.paths(serverId);
    const lacking = await collectPaths({
      ...{ session, book, self: identity.serverId, marker, held: count, name: 'source' },
    });
    if (lacking > 0) await round();
  }

  /** The objects that this server holds: the time and the content of each. */
  async versions(): Promise<ReadonlyMap<Oid, { readonly updatedAt: number; readonly digest: string }>> {
    const found = new Map<Oid, { readonly updatedAt: number; readonly digest: string }>();
    await using snapshot = await this.store.snapshot();
    for await (const { oid, digest } of snapshot.scan()) {
      const updatedAt = (await snapshot.get(oid))?.updatedAt ?? Number.NaN;
      found.set(oid, { updatedAt, digest: Buffer.from(digest).toString('hex') });
    }
    return found;
  }
}

/** A publisher and Brokers. */
export class Mesh implements AsyncDisposable {
  readonly clock = new ManualClock(1_700_000_000_000);
  readonly publisher = new MeshNode(this, 'publisher', 'gatherer', false);
  readonly brokers: readonly MeshNode[];
  readonly #joined: MeshNode[] = [];
  path = '';

  private constructor(brokers: number, old: readonly number[]) {
    this.brokers = Array.from(
      { length: brokers },
      (_, n) => new MeshNode(this, `${n}`, 'broker', old.includes(n)),
    );
  }

  /** With so many Brokers, of which those with the numbers in `old` are of garner 0.2. */
  static async open(brokers: number, old: readonly number[] = []): Promise<Mesh> {
    const mesh = new Mesh(brokers, old);
    mesh.path = await mkdtemp(join(tmpdir(), 'garner-mesh-'));
    for (const node of [mesh.publisher, ...mesh.brokers]) await node.open();
    return mesh;
  }

  /** A further server, of which the mesh takes care. */
  async join(name: string): Promise<MeshNode> {
    const node = new MeshNode(this, name, 'broker', false);
    await node.open();
    this.#joined.push(node);
    return node;
  }

  /** Seconds since 1970. */
  get now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  url(n: number): string {
    return `http://example.org/${n}`;
  }

  oid(n: number): Oid {
    return oidOf(this.publisher.identity.serverId, this.url(n));
  }

  put(
    n: number,
    content: string,
    updatedAt = this.now,
    ttlSeconds = 1_000_000,
  ): StoreOperation & { readonly kind: 'put' } {
    const { serverId: publisher, sign } = this.publisher.identity;
    const url = this.url(n);
    const summary = summaryObject(url, [
      ['Title', content],
      ['Time-to-Live', ttlSeconds],
      ['Update-Time', updatedAt],
    ]);
    const [oid, digest] = [this.oid(n), digestOf(summary)];
    const signature = sign(provenanceBytes(oid, digest, updatedAt));
    const object = { oid, digest, body: encodeObject(summary), updatedAt, publisher, signature };
    return { kind: 'put', object, url, ttlSeconds };
  }

  /** The signed deletion of an object. `by` and `signed` forge it: another signer, another object. */
  withdraw(
    n: number,
    { updatedAt = this.now, by = this.publisher.identity, signed = n } = {},
  ): StoreOperation & { readonly kind: 'delete' } {
    const signature = by.sign(withdrawalBytes(this.oid(signed), updatedAt));
    const { serverId: publisher } = this.publisher.identity;
    return { kind: 'delete', oid: this.oid(n), withdrawal: { publisher, updatedAt, signature } };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { store } of [this.publisher, ...this.brokers, ...this.#joined])
      await store[Symbol.asyncDispose]();
    await rm(this.path, { recursive: true, force: true });
  }
}
