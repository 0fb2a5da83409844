import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Change } from '../awareness/index.ts';
import {
  answerVerbs,
  collect,
  type Keyring,
  MemoryKeyring,
  type RoundReport,
  sourceVerbs,
} from '../exchange/index.ts';
import { type Random, seededRandom, systemClock, systemRandom } from '../kernel/index.ts';
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
} from '../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../store/index.ts';
import { connect, type Session, WireServer } from '../wire/index.ts';
import { temporaryFolder } from './commands/command.ts';

/** Text that compresses about as prose does. */
function prose(random: Random, length: number): string {
  const words: string[] = [];
  for (let size = 0; size < length; size += 7)
    words.push(Math.floor(random.next() * 30_000 + 40_000).toString(26));
  return words.join(' ');
}

/** One made-up object as an operation of the store, signed by its publisher. */
function synthetic(identity: Identity, n: number, text: string, updatedAt: number): StoreOperation {
  const url = `http://synthetic.example/${n}`;
  const object = summaryObject(url, [
    ['Title', `Object ${n}`],
    ['Full-Text', text],
    ['Time-to-Live', 30 * 24 * 3600],
    ['Update-Time', updatedAt],
  ]);
  const oid = oidOf(identity.serverId, url);
  const digest = digestOf(object);
  const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
  const publisher = identity.serverId;
  const published = { oid, digest, body: encodeObject(object), updatedAt, publisher, signature };
  return { kind: 'put', object: published, url, ttlSeconds: 30 * 24 * 3600 };
}

/** A store of made-up, properly signed objects, served over the wire. */
export class SyntheticSource implements AsyncDisposable {
  readonly identity = identityFrom(newIdentitySecret(seededRandom(1)));
  readonly #closing: AsyncDisposable[] = [];
  #folder = '';
  #copies = 0;
  store!: ObjectStore;
  port = 0;

  /** Fill a store with `count` objects of about `textBytes` each, and serve it on a port of this machine. */
  static async open(count: number, textBytes: number, seed = 1): Promise<SyntheticSource> {
    const source = new SyntheticSource();
    const folder = source.#own(await temporaryFolder());
    source.#folder = folder.path;
    source.store = await source.copy();
    const random = seededRandom(seed);
    const updatedAt = Math.floor(systemClock.now() / 1000);
    for (let n = 0; n < count; ) {
      const step: StoreOperation[] = [];
      for (; step.length < 1000 && n < count; n++)
        step.push(synthetic(source.identity, n, prose(random, textBytes), updatedAt));
      await source.store.apply(step);
    }
    await source.#serve();
    return source;
  }

  /** One object more, or changed, as an operation for the store. */
  put(n: number, text: string): StoreOperation {
    return synthetic(this.identity, n, text, Math.floor(systemClock.now() / 1000));
  }

  oid(n: number): Oid {
    return oidOf(this.identity.serverId, `http://synthetic.example/${n}`);
  }

  /** A new, empty store beside it. */
  async copy(): Promise<ObjectStore> {
    const database = await openDatabase(join(this.#folder, `store-${this.#copies++}`));
    return this.#own(await ObjectStore.open(database, { clock: systemClock, random: systemRandom }));
  }

  /** Fill a copy without the wire, as if it had collected everything earlier. */
  async fill(copy: ObjectStore): Promise<void> {
    const replica = await copy.replica(this.identity.serverId);
    await using snapshot = await this.store.snapshot();
    const { epoch, lsn } = snapshot.state;
    let batch: Change[] = [];
    for await (const change of snapshot.changesSince(0)) {
      batch.push(change);
      if (batch.length < 1000) continue;
      await replica.apply(batch, { epoch, lsn: change.lsn });
      batch = [];
    }
    await replica.apply(batch, { epoch, lsn });
  }

  async #serve(): Promise<void> {
    const verbs = sourceVerbs({
      source: this.store,
      serverId: this.identity.serverId,
      sign: this.identity.sign,
      clock: systemClock,
    });
    const wire = this.#own(
      new WireServer({
        identity: this.identity,
        name: 'synthetic',
        role: 'gatherer',
        clock: systemClock,
        random: systemRandom,
        onChannel: answerVerbs(verbs),
      }),
    );
    const http = createServer();
    http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    this.port = (http.address() as AddressInfo).port;
    this.#closing.splice(-1, 0, {
      [Symbol.asyncDispose]: () => new Promise<void>((resolve) => http.close(() => resolve())),
    });
  }

  #own<Part extends AsyncDisposable>(part: Part): Part {
    this.#closing.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const part of this.#closing.reverse()) await part[Symbol.asyncDispose]();
  }
}

/** Open a session as a Broker would. */
export function dial(url: string): Promise<Session> {
  return connect({
    url,
    identity: identityFrom(newIdentitySecret()),
    name: 'topic',
    role: 'broker',
    clock: systemClock,
    random: systemRandom,
  });
}

/** One round over a session into a store. */
export async function collectInto(
  copy: ObjectStore,
  session: Session,
  keyring: Keyring = new MemoryKeyring(),
): Promise<RoundReport> {
  const replica = await copy.replica(session.peer.serverId);
  return collect({ session, replica, keyring, clock: systemClock, name: 'synthetic', deleteGuard: 0.2 });
}
