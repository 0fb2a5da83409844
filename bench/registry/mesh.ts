import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Withdrawal } from '../../awareness/index.ts';
import { Broker, SegmentedEngine, sourceFrom } from '../../broker/index.ts';
import { answerVerbs, roundFinished, sourceVerbs, type Verb } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import {
  decodeObject,
  digestOf,
  encodeObject,
  type Identity,
  type Oid,
  oidOf,
  provenanceBytes,
  summaryObject,
  withdrawalBytes,
} from '../../soif/index.ts';
import { type DataFolder, type ObjectStore, openDataFolder, type StoreOperation } from '../../store/index.ts';
import { type Session, WireServer } from '../../wire/index.ts';

// A full mesh in one process: a Gatherer, and Brokers each of which collects from all others over loopback. The
// first one also collects from the Gatherer.

/** Without a frame for this long, the mesh is quiet. */
const quietMs = 400;
const patienceMs = 120_000;

/** A listening port whose verbs come later, when the addresses of all servers are known. */
class Door implements AsyncDisposable {
  readonly url: string;
  readonly #http: ReturnType<typeof createServer>;
  #wire: WireServer | undefined;

  private constructor(http: ReturnType<typeof createServer>) {
    this.#http = http;
    this.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    http.on('upgrade', (request, socket, head) => this.#wire?.handleUpgrade(request, socket, head));
  }

  static async open(): Promise<Door> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return new Door(http);
  }

  answer(
    identity: Identity,
    role: 'gatherer' | 'broker',
    verbs: Readonly<Record<string, Verb>>,
    seen: (session: Session) => void,
  ): void {
    const handler = answerVerbs(verbs);
    this.#wire = new WireServer({
      ...{ identity, role, name: role, clock: systemClock, random: systemRandom },
      onChannel: (channel, message, session) => {
        seen(session);
        return handler(channel, message, session);
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire?.[Symbol.asyncDispose]();
    await new Promise<void>((resolve) => this.#http.close(() => resolve()));
  }
}

/** The traffic of all sessions, and the rounds of all Brokers. */
export interface Moved {
  readonly frames: number;
  readonly bytes: number;
  readonly collections: number;
}

/** The course of one deletion. */
export interface Deletion extends Moved {
  /** Until the object had left all Brokers for good. */
  readonly seconds: number;
  /** Until the last frame. */
  readonly quietSeconds: number;
  /** How often a Broker that no longer had the object had it again. */
  readonly returns: number;
  /** Brokers that still have it when the mesh is quiet. */
  readonly left: number;
}

const urlOf = (n: number) => `https://harbour.example/${n}`;

/** A store that notes when an object leaves it and returns. */
class Watched {
  returns = 0;
  goneAt: number | undefined;
  readonly #store: ObjectStore;
  readonly #oid: Oid;
  readonly #stop: () => void;

  constructor(store: ObjectStore, oid: Oid) {
    this.#store = store;
    this.#oid = oid;
    this.#stop = store.onChange(() => void this.look());
  }

  async look(): Promise<boolean> {
    const isHere = (await this.#store.describe(this.#oid)) !== undefined;
    if (!isHere) this.goneAt ??= systemClock.now();
    else if (this.goneAt !== undefined) {
      this.returns++;
      this.goneAt = undefined;
    }
    return isHere;
  }

  stop(): void {
    this.#stop();
  }
}

/** A Gatherer and a full mesh of Brokers. */
export class Mesh implements AsyncDisposable {
  readonly #owned: AsyncDisposable[] = [];
  readonly #sessions = new Set<Session>();
  readonly #brokers: Broker[] = [];
  #gatherer!: DataFolder;
  #collections = 0;
  #stop = () => {};

  /** Open the mesh in a folder, with this many objects of the Gatherer. Resolves when all Brokers have them. */
  static async open(folder: string, brokers: number, objects: number): Promise<Mesh> {
    const mesh = new Mesh();
    try {
      await mesh.#open(folder, brokers);
      const { store } = mesh.#gatherer;
      await store.apply(Array.from({ length: objects }, (_, n) => mesh.#put(n)));
      for (const broker of mesh.#brokers) broker.start();
      await mesh.#quiet(() => mesh.#brokers.every((broker) => broker.folder.store.count === objects));
      return mesh;
    } catch (error) {
      await mesh[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #open(folder: string, brokers: number): Promise<void> {
    const { clock, random } = { clock: systemClock, random: systemRandom };
    const seen = (session: Session) => this.#sessions.add(session);
    this.#stop = roundFinished.subscribe(() => {
      this.#collections++;
    });
    const data = (name: string, role: 'gatherer' | 'broker') =>
      openDataFolder(join(folder, name), { role, create: true, clock, random });
    const doors: Door[] = [];
    for (let n = 0; n <= brokers; n++) doors.push(this.#own(await Door.open()));
    const [gathererDoor, ...brokerDoors] = doors as [Door, ...Door[]];
    this.#gatherer = this.#own(await data('gatherer', 'gatherer'));
    const { store, identity } = this.#gatherer;
    const { serverId, sign } = identity;
    gathererDoor.answer(identity, 'gatherer', sourceVerbs({ source: store, serverId, sign, clock }), seen);
    for (const [n, door] of brokerDoors.entries()) {
      const own = this.#own(await data(`broker-${n}`, 'broker'));
      const engine = this.#own(
        await SegmentedEngine.open({
          database: await own.database('index'),
          objectOf: async (oid) => {
            const held = await own.store.get(oid);
            return held === undefined ? undefined : decodeObject(held.body);
          },
        }),
      );
      const others = brokerDoors.filter((other) => other !== door);
      const broker = await Broker.open({
        ...{ folder: own, engine, name: `broker ${n}`, clock, random },
        sources: [...(n === 0 ? [gathererDoor] : []), ...others].map(({ url }) => sourceFrom(url)),
        ...{ intervalSeconds: 600, graceSeconds: 3600, snippetLength: 120, deleteGuard: 0.2 },
      });
      this.#brokers.push(this.#own(broker));
      door.answer(own.identity, 'broker', broker.verbs(), seen);
    }
  }

  /**
   * Delete the object of this number at the Gatherer, with its signature or as a source of garner 0.2 does, and follow
   * the deletion until the mesh is quiet.
   */
  async delete(n: number, isSigned: boolean): Promise<Deletion> {
    const oid = this.#oid(n);
    const watched = this.#brokers.map((broker) => new Watched(broker.folder.store, oid));
    const before = this.#moved();
    const started = systemClock.now();
    await this.#gatherer.store.apply([{ kind: 'delete', oid, ...(isSigned && this.#withdrawal(oid)) }]);
    const lastAt = await this.#quiet(() => watched.some(({ goneAt }) => goneAt !== undefined));
    let left = 0;
    for (const one of watched) {
      if (await one.look()) left++;
      one.stop();
    }
    const after = this.#moved();
    const goneAt = Math.max(...watched.map((one) => one.goneAt ?? systemClock.now()));
    return {
      seconds: (goneAt - started) / 1000,
      quietSeconds: (lastAt - started) / 1000,
      returns: watched.reduce((sum, { returns }) => sum + returns, 0),
      left,
      frames: after.frames - before.frames,
      bytes: after.bytes - before.bytes,
      collections: after.collections - before.collections,
    };
  }

  #moved(): Moved {
    let [frames, bytes] = [0, 0];
    for (const { traffic } of this.#sessions) {
      frames += traffic.sentFrames + traffic.receivedFrames;
      bytes += traffic.sentBytes + traffic.receivedBytes;
    }
    return { frames, bytes, collections: this.#collections };
  }

  /** Wait until `isDone` and no frame has moved for a while. Resolves to the time of the last frame, about. */
  async #quiet(isDone: () => boolean): Promise<number> {
    const until = systemClock.now() + patienceMs;
    let last = this.#moved().frames;
    let lastAt = systemClock.now();
    while (!isDone() || systemClock.now() - lastAt < quietMs) {
      if (systemClock.now() > until) throw new Error('the mesh is not quiet');
      await sleep(5);
      const { frames } = this.#moved();
      if (frames !== last) lastAt = systemClock.now();
      last = frames;
    }
    return lastAt;
  }

  #oid(n: number): Oid {
    return oidOf(this.#gatherer.identity.serverId, urlOf(n));
  }

  #withdrawal(oid: Oid): { readonly withdrawal: Withdrawal } {
    const { serverId: publisher, sign } = this.#gatherer.identity;
    const updatedAt = Math.floor(systemClock.now() / 1000);
    return { withdrawal: { publisher, updatedAt, signature: sign(withdrawalBytes(oid, updatedAt)) } };
  }

  #put(n: number): StoreOperation {
    const { serverId: publisher, sign } = this.#gatherer.identity;
    const [url, updatedAt, ttlSeconds] = [urlOf(n), Math.floor(systemClock.now() / 1000), 3600];
    const summary = summaryObject(url, [
      ['Title', `Mooring ${n}`],
      ['Time-to-Live', ttlSeconds],
      ['Update-Time', updatedAt],
    ]);
    const [oid, digest] = [this.#oid(n), digestOf(summary)];
    const signature = sign(provenanceBytes(oid, digest, updatedAt));
    const object = { oid, digest, body: encodeObject(summary), updatedAt, publisher, signature };
    return { kind: 'put', object, url, ttlSeconds };
  }

  #own<Resource extends AsyncDisposable>(resource: Resource): Resource {
    this.#owned.push(resource);
    return resource;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    for (const one of this.#owned.reverse()) await one[Symbol.asyncDispose]();
  }
}
