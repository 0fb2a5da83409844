import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerVerbs, sourceVerbs, type Verb } from '../../exchange/index.ts';
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
} from '../../soif/index.ts';
import { type DataFolder, openDataFolder, type StoreOperation } from '../../store/index.ts';
import { WireServer } from '../../wire/index.ts';
import { type SourceAddress, sourceFrom } from '../collecting/source-address.ts';
import { SegmentedEngine } from '../engines/segmented/segmented-engine.ts';
import { Broker } from '../service/broker.ts';
import type { BrokerOptions } from '../service/broker-options.ts';

/** Sources and a Broker for the tests of this folder, on a real wire. */

export const now = () => Math.floor(Date.now() / 1000);

export interface ServedOnWire extends AsyncDisposable {
  readonly url: string;
}

/** Answer verbs on a WebSocket of loopback. */
export async function serveOnWire(
  identity: Identity,
  role: 'gatherer' | 'broker',
  verbs: Readonly<Record<string, Verb>>,
  port = 0,
): Promise<ServedOnWire> {
  const wire = new WireServer({
    identity,
    name: role === 'gatherer' ? 'site' : 'topic',
    role,
    clock: systemClock,
    random: systemRandom,
    onChannel: answerVerbs(verbs),
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      await wire[Symbol.asyncDispose]();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

/** A Gatherer's store behind a real wire. */
export class Source implements AsyncDisposable {
  readonly folder: DataFolder;
  /** Where its objects are. */
  site = 'http://example.org/';
  readonly #served: ServedOnWire;

  private constructor(folder: DataFolder, served: ServedOnWire) {
    this.folder = folder;
    this.#served = served;
  }

  static async open(path: string, port = 0): Promise<Source> {
    const folder = await openDataFolder(path, {
      role: 'gatherer',
      create: true,
      clock: systemClock,
      random: systemRandom,
    });
    const { store, identity } = folder;
    const verbs = sourceVerbs({
      source: store,
      serverId: identity.serverId,
      sign: identity.sign,
      clock: systemClock,
    });
    return new Source(folder, await serveOnWire(identity, 'gatherer', verbs, port));
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get url(): string {
    return this.#served.url;
  }

  oid(name: string): Oid {
    return oidOf(this.folder.identity.serverId, this.site + name);
  }

  put(
    name: string,
    text: string,
    updatedAt = now(),
    attributes: readonly (readonly [string, string | number])[] = [],
  ): StoreOperation {
    const { identity } = this.folder;
    const url = this.site + name;
    const usual: typeof attributes = [
      ['Title', `Page ${name}`],
      ['Full-Text', text],
      ['Type', 'HTML'],
      ['Time-to-Live', 3600],
      ['Update-Time', updatedAt],
    ];
    const isOwn = new Set(attributes.map(([attribute]) => attribute));
    const object = summaryObject(url, [
      ...usual.filter(([attribute]) => !isOwn.has(attribute)),
      ...attributes,
    ]);
    const [oid, digest] = [oidOf(identity.serverId, url), digestOf(object)];
    const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
    return {
      kind: 'put',
      object: { oid, digest, body: encodeObject(object), updatedAt, publisher: identity.serverId, signature },
      url,
      ttlSeconds: 3600,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served[Symbol.asyncDispose]();
    await this.folder[Symbol.asyncDispose]();
  }
}

export class OpenBroker implements AsyncDisposable {
  readonly broker: Broker;
  readonly folder: DataFolder;
  readonly engine: SegmentedEngine;

  private constructor(broker: Broker, folder: DataFolder, engine: SegmentedEngine) {
    this.broker = broker;
    this.folder = folder;
    this.engine = engine;
  }

  static async open(
    path: string,
    sources: readonly (string | SourceAddress)[],
    own: Partial<BrokerOptions> = {},
  ): Promise<OpenBroker> {
    const folder = await openDataFolder(path, {
      role: 'broker',
      create: true,
      clock: systemClock,
      random: systemRandom,
    });
    const engine = await SegmentedEngine.open({
      database: await folder.database('index'),
      objectOf: async (oid) => {
        const held = await folder.store.get(oid);
        return held === undefined ? undefined : decodeObject(held.body);
      },
    });
    const broker = await Broker.open({
      folder,
      engine,
      name: 'topic',
      sources: sources.map((source) => (typeof source === 'string' ? sourceFrom(source) : source)),
      clock: systemClock,
      random: systemRandom,
      intervalSeconds: 600,
      graceSeconds: 3600,
      snippetLength: 120,
      deleteGuard: 0.2,
      ...own,
    });
    return new OpenBroker(broker, folder, engine);
  }

  /** Collect, index, and search. */
  async fresh(): Promise<void> {
    await this.broker.collector.collectNow();
    await this.broker.indexer.reached(this.folder.store.lsn);
  }

  /** The URLs found by a search, once the index has followed the store. */
  async urls(q: string): Promise<string[]> {
    await this.broker.indexer.reached(this.folder.store.lsn);
    const { hits } = await this.broker.queries.search({ q, limit: 20, offset: 0, sources: [], types: [] });
    return hits.map(({ url }) => url.replace('http://example.org/', '')).sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.broker[Symbol.asyncDispose]();
    await this.engine[Symbol.asyncDispose]();
    await this.folder[Symbol.asyncDispose]();
  }
}

export async function scratch(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'garner-broker-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
