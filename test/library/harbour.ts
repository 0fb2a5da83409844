import { join } from 'node:path';
import { brokerRoutes } from '../../broker/index.ts';
import { now, OpenBroker, Source, scratch } from '../../broker/testing/topic.ts';
import { serveHttp } from '../../http/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, provenanceBytes, summaryObject } from '../../soif/index.ts';
import type { StoreOperation } from '../../store/index.ts';

/** A Gatherer and a Broker as the examples of the library have them. */
export interface Harbour extends AsyncDisposable {
  /** The Broker's address. */
  readonly url: string;
  /** The Gatherer's address. */
  readonly wire: string;
  /** An example with the addresses of these servers in the place of ports 8500 and 8501. */
  real(code: string): string;
  /** Add or replace a page of the site. */
  put(path: string, title: string, text: string): Promise<void>;
  /** Remove a page of the site. */
  remove(path: string): Promise<void>;
  /** Resolves when the Broker has collected and indexed the site. */
  fresh(): Promise<void>;
}

/** The pages of the site. */
const pages = [
  ['moorings.html', 'Moorings', 'Use two ropes, and never moor across the ferry.'],
  ['fees.html', 'Mooring fees', 'What a night at the quay takes.'],
] as const;

/** Open both; the site has two pages, and the Broker a view `moorings`. */
export async function openHarbour(): Promise<Harbour> {
  const folder = await scratch();
  const source = await Source.open(join(folder.path, 'site'));
  const { identity, store } = source.folder;
  const operation = (path: string, title: string, text: string): StoreOperation => {
    const url = `https://harbour.example/${path}`;
    const updatedAt = now();
    const object = summaryObject(url, [
      ...([
        ['Title', title],
        ['Full-Text', text],
        ['Type', 'HTML'],
      ] as const),
      ...([
        ['Time-to-Live', 3600],
        ['Update-Time', updatedAt],
      ] as const),
    ]);
    const [oid, digest] = [oidOf(identity.serverId, url), digestOf(object)];
    const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
    const published = {
      oid,
      digest,
      body: encodeObject(object),
      updatedAt,
      publisher: identity.serverId,
      signature,
    };
    return { kind: 'put', object: published, url, ttlSeconds: 3600 };
  };
  await store.apply(pages.map(([path, title, text]) => operation(path, title, text)));
  const topic = await OpenBroker.open(join(folder.path, 'broker'), [source.url]);
  topic.broker.start();
  await topic.fresh();
  await topic.broker.views.add([{ name: 'moorings', query: 'Title: mooring' }]);
  await topic.broker.views.upToDate();
  const routes = brokerRoutes(topic.broker);
  const server = await serveHttp({ routes, port: 0, clock: systemClock, title: 'topic', version: '0' });
  return {
    url: server.url,
    wire: source.url,
    real: (code) =>
      code
        .replaceAll('http://127.0.0.1:8501', server.url.replace(/\/$/, ''))
        .replaceAll('ws://127.0.0.1:8500', source.url),
    put: async (path, title, text) => {
      await store.apply([operation(path, title, text)]);
    },
    remove: async (path) => {
      await store.apply([
        { kind: 'delete', oid: oidOf(identity.serverId, `https://harbour.example/${path}`) },
      ]);
    },
    fresh: () => topic.fresh(),
    [Symbol.asyncDispose]: async () => {
      for (const opened of [server, topic, source, folder]) await opened[Symbol.asyncDispose]();
    },
  };
}
