import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, systemClock, systemRandom } from '../../kernel/index.ts';
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
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { connect, type Session, WireServer } from '../../wire/index.ts';
import { collect } from '../collect.ts';
import type { CollectOptions } from '../collect-options.ts';
import { MemoryKeyring } from '../keyring.ts';
import { answerVerbs, sourceVerbs } from '../serve.ts';

/** A Gatherer's store served over a real socket, and a Broker's store that collects from it. */
export class TwoStores implements AsyncDisposable {
  readonly clock = new ManualClock(1_700_000_000_000);
  readonly gatherer: Identity = identityFrom(newIdentitySecret());
  readonly broker: Identity = identityFrom(newIdentitySecret());
  readonly keyring = new MemoryKeyring();
  readonly #cleanups: (() => unknown)[] = [];
  path = '';
  url = '';
  /** The source is being filled for the first time. */
  filling = false;
  source!: ObjectStore;
  copy!: ObjectStore;

  static async make(): Promise<TwoStores> {
    const bench = new TwoStores();
    bench.path = await mkdtemp(join(tmpdir(), 'garner-exchange-'));
    bench.#cleanups.push(() => rm(bench.path, { recursive: true, force: true }));
    bench.source = bench.own(await bench.open('source'));
    bench.copy = bench.own(await bench.open('copy'));
    const verbs = sourceVerbs({
      filling: () => bench.filling,
      // A slow link, on which bytes decide the choice, and not the speed of this machine.
      linkTo: () => ({ roundTripMs: 1, bytesPerSecond: 20_000 }),
      source: bench.source,
      serverId: bench.gatherer.serverId,
      sign: bench.gatherer.sign,
      clock: bench.clock,
    });
    const wire = bench.own(
      new WireServer({
        identity: bench.gatherer,
        name: 'site',
        role: 'gatherer',
        clock: systemClock,
        random: systemRandom,
        onChannel: answerVerbs(verbs),
      }),
    );
    const http = createServer();
    http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    bench.#cleanups.push(() => new Promise<void>((resolve) => http.close(() => resolve())));
    bench.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
    return bench;
  }

  own<Resource extends AsyncDisposable>(resource: Resource): Resource {
    this.#cleanups.push(() => resource[Symbol.asyncDispose]());
    return resource;
  }

  async open(name: string): Promise<ObjectStore> {
    return ObjectStore.open(await openDatabase(join(this.path, name)), {
      clock: this.clock,
      random: systemRandom,
    });
  }

  /** OID of the object with this number. */
  oid(n: number): Oid {
    return oidOf(this.gatherer.serverId, `http://example.org/${n}`);
  }

  put(
    n: number,
    content: string,
    identity = this.gatherer,
    more: readonly (readonly [string, string | number])[] = [],
  ): StoreOperation & { readonly kind: 'put' } {
    const updatedAt = Math.floor(this.clock.now() / 1000);
    const url = `http://example.org/${n}`;
    const object = summaryObject(url, [
      ['Title', content],
      ...more,
      ['Time-to-Live', 3600],
      ['Update-Time', updatedAt],
    ]);
    const oid = oidOf(this.gatherer.serverId, url);
    const digest = digestOf(object);
    const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
    return {
      kind: 'put',
      object: {
        oid,
        digest,
        body: encodeObject(object),
        updatedAt,
        publisher: this.gatherer.serverId,
        signature,
      },
      url,
      ttlSeconds: 3600,
    };
  }

  connect(identity = this.broker): Promise<Session> {
    return connect({
      url: this.url,
      identity,
      name: 'topic',
      role: 'broker',
      clock: systemClock,
      random: systemRandom,
    });
  }

  async collect(session: Session, extra: Partial<CollectOptions> = {}) {
    const replica = await this.copy.replica(this.gatherer.serverId);
    return collect({
      session,
      replica,
      keyring: this.keyring,
      clock: this.clock,
      name: 'site',
      deleteGuard: 0.2,
      ...extra,
    });
  }

  async equal(): Promise<void> {
    const dump = async (store: ObjectStore) => {
      await using snapshot = await store.snapshot();
      const rows: string[] = [];
      for await (const { oid, digest } of snapshot.scan())
        rows.push(`${oid} ${Buffer.from(digest).toString('hex')}`);
      return rows;
    };
    assert.deepEqual(await dump(this.copy), await dump(this.source));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cleanup of this.#cleanups.reverse()) await cleanup();
  }
}
