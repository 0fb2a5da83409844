import { createHash, createPrivateKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type Change,
  type Epoch,
  handleOf,
  type Link,
  type Noted,
  type RequestingClient,
} from '../../awareness/index.ts';
import { answerVerbs, collect, MemoryKeyring, type RoundReport, sourceVerbs } from '../../exchange/index.ts';
import { ManualClock, type Random, seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import {
  encodeObject,
  type Identity,
  identityFrom,
  type Oid,
  oidFromBytes,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { connect, type Session, WireServer } from '../../wire/index.ts';
import { temporaryFolder } from '../commands/command.ts';

export type Kind = 'scattered' | 'recent' | 'mixed';

/** A change of a store: `updates` are in place, `atEnd` are inserts at the end of the order of handles. */
export interface ChangeOf {
  readonly inserts: number;
  readonly updates: number;
  readonly deletes: number;
  readonly atEnd: boolean;
}

export function changeOf(kind: Kind, u: number): ChangeOf {
  if (kind !== 'mixed') return { inserts: u, updates: 0, deletes: 0, atEnd: kind === 'recent' };
  const updates = Math.floor(u / 2);
  const deletes = Math.floor((u - updates) / 2);
  return { inserts: u - updates - deletes, updates, deletes, atEnd: false };
}

/** Elements in which two sets differ after a change: an update removes one and adds one. */
export function differencesOf({ inserts, updates, deletes }: ChangeOf): number {
  return inserts + deletes + 2 * updates;
}

interface Live {
  readonly n: number;
  readonly version: number;
  readonly atEnd: boolean;
}

const step = 1000;
/** No round has the bytes of a ping, which is sent at an interval. */
const limits = { keepAliveSeconds: 24 * 3600 };
const updatedAt = 4_000_000_000;

const hashOf = (what: string, n: number, version: number) =>
  createHash('sha256').update(`${what} ${n} ${version}`).digest();

function oidFor({ n, atEnd }: Live): Oid {
  const bytes = hashOf('handle', n, 0);
  // The end of the order is reserved for inserts at the end.
  bytes[0] = atEnd ? 0xf0 | (bytes[0] as number) : (bytes[0] as number) % 0xf0;
  return oidFromBytes(bytes);
}

/** The prefix of the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, 7). */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * An identity whose signatures are the same in every run: whether a short message is compressed may depend on one.
 */
function seededIdentity(seed: number): Identity {
  const random = seededRandom(seed);
  const serverId = Buffer.from(random.bytes(16)).toString('base64url') as ServerId;
  const key = Buffer.concat([privateKeyHead, random.bytes(32)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return identityFrom({
    serverId,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
}

/**
 * A store that changes and a copy of it that collects handles and signatures over a socket of this machine. Names,
 * contents, keys and changes follow only from a seed, so two runs send the same bytes.
 */
export class AwarenessWorld implements AsyncDisposable {
  readonly #clock = new ManualClock(1_700_000_000_000);
  readonly #identity = seededIdentity(1);
  readonly #random: Random = seededRandom(2);
  readonly #keyring = new MemoryKeyring();
  readonly #closing: AsyncDisposable[] = [];
  readonly #live: Live[] = [];
  #next = 0;
  #url = '';
  #folder = '';
  #lives = 0;
  #partition = 'source';
  source!: ObjectStore;
  copy!: ObjectStore;
  session!: Session;
  /** The link that the source assumes; absent: it measures. */
  link: Link | undefined;

  static async open(count: number): Promise<AwarenessWorld> {
    const world = new AwarenessWorld();
    const folder = world.#own(await temporaryFolder());
    world.#folder = folder.path;
    world.source = await world.#open('source', 3);
    world.copy = world.#own(await world.#open('copy', 4));
    await world.#serve();
    world.session = await world.dial();
    await world.#apply(Array.from({ length: count }, () => world.#insert(false)));
    await world.collect('log');
    return world;
  }

  async #open(name: string, seed: number): Promise<ObjectStore> {
    const random = seededRandom(seed);
    return ObjectStore.open(await openDatabase(join(this.#folder, name)), { clock: this.#clock, random });
  }

  async #serve(): Promise<void> {
    const { serverId, sign } = this.#identity;
    const linkTo = (session: Session) => this.link ?? session.measures;
    const verbs = sourceVerbs({ source: this.source, serverId, sign, clock: this.#clock, linkTo });
    const wire = this.#own(
      new WireServer({
        ...{ identity: this.#identity, name: 'source', role: 'gatherer' },
        ...{ clock: systemClock, random: systemRandom, limits },
        onChannel: answerVerbs(verbs),
      }),
    );
    const http = createServer();
    http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    this.#url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
    this.#own({ [Symbol.asyncDispose]: () => new Promise<void>((resolve) => http.close(() => resolve())) });
  }

  async dial(): Promise<Session> {
    const identity = seededIdentity(5);
    const session = await connect({
      ...{ url: this.#url, identity, name: 'copy', role: 'broker' },
      ...{ clock: systemClock, random: systemRandom, limits },
    });
    return this.#own(session);
  }

  /** Change the store; later changes of other objects restore the count. */
  async change({ inserts, updates, deletes, atEnd }: ChangeOf): Promise<void> {
    const operations: StoreOperation[] = [];
    for (let i = 0; i < deletes; i++) operations.push(this.#delete(this.#pick()));
    const updated = new Set<number>();
    while (updated.size < updates) updated.add(this.#pick());
    for (const at of updated) {
      const live = this.#live[at] as Live;
      this.#live[at] = { ...live, version: live.version + 1 };
      operations.push(this.#put(this.#live[at]));
    }
    for (let i = 0; i < inserts; i++) operations.push(this.#insert(atEnd));
    await this.#apply(operations);
  }

  /**
   * Bring the store back to `count` objects, removing those at the end of the order first, and replace some others.
   */
  async settle(count: number, exchanged: number): Promise<void> {
    const operations: StoreOperation[] = [];
    for (let at = this.#live.length - 1; at >= 0; at--)
      if (this.#live[at]?.atEnd) operations.push(this.#delete(at));
    for (let i = 0; i < exchanged; i++) operations.push(this.#delete(this.#pick()));
    while (this.#live.length > count) operations.push(this.#delete(this.#pick()));
    while (this.#live.length < count) operations.push(this.#insert(false));
    await this.#apply(operations);
    await this.collect('log');
  }

  async collect(scheme?: string, differences?: number, session = this.session): Promise<RoundReport> {
    const replica = await this.copy.replica(this.#partition);
    return collect({
      ...{ session, replica, keyring: this.#keyring, clock: this.#clock, name: 'source' },
      ...{ want: { kind: 'handles' }, deleteGuard: 1 },
      ...(scheme === undefined ? {} : { scheme }),
      ...(differences === undefined ? {} : { differences }),
    });
  }

  /** One round with its bytes and rounds on the wire. */
  async measured(
    scheme?: string,
  ): Promise<{ readonly bytes: number; readonly rounds: number; readonly schemes: readonly string[] }> {
    const { bytesUp, bytesDown, rounds, schemes } = await this.collect(scheme);
    return { bytes: bytesUp + bytesDown, rounds, schemes };
  }

  /** The source's view of a client that sends a request. */
  async asker(): Promise<RequestingClient> {
    const { marker, count } = await (await this.copy.replica(this.#partition)).state();
    return { marker, held: count, want: 'handles' };
  }

  /** The client loses its copy. */
  async loseCopy(): Promise<void> {
    await this.copy.dropPartition(this.#partition);
    this.#partition = `${this.#partition}+`;
  }

  /** The source forgets all its deletions. */
  forgetDeletions(): Promise<void> {
    return this.source.forgetTombstones(0);
  }

  /** The source loses its store and rebuilds it: the same objects under another epoch. */
  async renewSource(): Promise<void> {
    await this.session.close();
    await this.source[Symbol.asyncDispose]();
    this.source = await this.#open(`source ${++this.#lives}`, 100 + this.#lives);
    await this.#apply(this.#live.map((live) => this.#put(live)));
    await this.#serve();
    this.session = await this.dial();
  }

  /** The copy diverges while its marker stays: objects are missing, extra and changed. */
  async disturbCopy({ inserts, updates, deletes }: ChangeOf): Promise<void> {
    const replica = await this.copy.replica(this.#partition);
    const { marker } = await replica.state();
    if (marker === undefined) throw new Error('the copy has not begun');
    const lsn = 0;
    const taken = new Set<number>();
    while (taken.size < inserts + updates) taken.add(this.#pick());
    const oids = [...taken].map((at) => oidFor(this.#live[at] as Live));
    const otherwise = oids.slice(inserts).map((oid, i): Noted => {
      return { kind: 'note', lsn, handle: handleOf(oid), signature: hashOf('other', i, 0).subarray(0, 16) };
    });
    const more = Array.from({ length: deletes }, (_, i): Noted => {
      const handle = handleOf(oidFromBytes(hashOf('more', i, this.#next++)));
      return { kind: 'note', lsn, handle, signature: hashOf('more', i, 1).subarray(0, 16) };
    });
    const held = await replica.find(oids.slice(0, inserts).map(handleOf));
    const lost = held.flatMap((entry): Change[] =>
      entry === undefined ? [] : [{ kind: 'delete', lsn, oid: entry.oid }],
    );
    await replica.apply([...lost, ...otherwise, ...more], marker);
  }

  /** Bring the copy up to date and the store back to its size, after any situation. */
  async repair(count: number): Promise<void> {
    await this.collect('signature');
    await this.settle(count, 100);
  }

  /** Copy and source have the same set. */
  async equal(): Promise<boolean> {
    const held = await (await this.copy.replica(this.#partition)).state();
    const state = await this.source.state();
    return (
      held.count === state.count &&
      Buffer.compare(held.fingerprint, state.fingerprint) === 0 &&
      (held.marker?.epoch as Epoch) === state.epoch
    );
  }

  #pick(): number {
    return Math.floor(this.#random.next() * this.#live.length);
  }

  #insert(atEnd: boolean): StoreOperation {
    const live: Live = { n: this.#next++, version: 0, atEnd };
    this.#live.push(live);
    return this.#put(live);
  }

  /** Remove the object at this index of the list; the last one moves there. */
  #delete(at: number): StoreOperation {
    const live = this.#live[at] as Live;
    const last = this.#live.pop() as Live;
    if (at < this.#live.length) this.#live[at] = last;
    return { kind: 'delete', oid: oidFor(live) };
  }

  #put(live: Live): StoreOperation {
    const { n, version } = live;
    const url = `http://awareness.example/${n}`;
    const digest = hashOf('content', n, version);
    const body = encodeObject(summaryObject(url, [['Title', `Object ${n}`]]));
    // A client that wants no bodies checks no provenance.
    const signature = new Uint8Array(64);
    const publisher = this.#identity.serverId;
    const object = { oid: oidFor(live), digest, body, updatedAt, publisher, signature };
    return { kind: 'put', object, url, ttlSeconds: 3600 };
  }

  async #apply(operations: readonly StoreOperation[]): Promise<void> {
    for (let at = 0; at < operations.length; at += step)
      await this.source.apply(operations.slice(at, at + step));
  }

  #own<Part extends AsyncDisposable>(part: Part): Part {
    this.#closing.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const [folder, ...parts] = this.#closing;
    for (const part of parts.reverse()) await part[Symbol.asyncDispose]();
    await this.source[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  }
}
