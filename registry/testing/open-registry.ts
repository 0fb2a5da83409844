import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryKeyring } from '../../exchange/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { serveHttp } from '../../http/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  ClientGate,
  guardedRoute,
  publicationOf,
  publicationRoute,
  publish,
  RefusalReports,
  withdrawalOf,
} from '../../publication/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { descriptionObject, type ServerDescription } from '../descriptions/index.ts';
import { Directory } from '../directory.ts';
import { keyRoutes } from '../keys/index.ts';
import { Registrar, type RegistrarOptions } from '../registrar.ts';
import { directoryRoutes } from '../routes.ts';

export const described: ServerDescription = {
  ...{ type: 'BROKER', url: 'https://harbour.example/', name: 'Harbour', description: '' },
  ...{ administrator: '', location: '', software: 'garner/0.2.0', objects: 1 },
  ...{ refreshSeconds: 60, ttlSeconds: 300 },
};

type Chosen = Partial<Pick<RegistrarOptions, 'maxServers' | 'isBlocked'>> & { readonly perSecond?: number };

/** A Registry on a real port, with a clock that only the test moves. */
export async function openRegistry({
  maxServers = 10,
  isBlocked = async () => false,
  perSecond = 100,
}: Chosen = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'garner-registry-'));
  const clock = new ManualClock();
  const store = await ObjectStore.open(await openDatabase(folder), { clock, random: seededRandom(1) });
  const database = await openDatabase(join(folder, 'registrar'));
  const directory = await Directory.open(store, clock);
  const collected = new MemoryKeyring();
  const own = identityFrom(newIdentitySecret()).serverId;
  const options = { store, database, collected, clock, directory, maxServers, isBlocked, own };
  const registrar = await Registrar.open(options);
  const refusals: string[] = [];
  const route = guardedRoute(publicationRoute(registrar), {
    gate: new ClientGate({ clock, perSecond }),
    reports: new RefusalReports({ clock, write: (note) => refusals.push(note) }),
    maxBodyBytes: 192 * 1024,
  });
  const http = await serveHttp({
    ...{
      routes: [route, ...directoryRoutes(directory), ...keyRoutes(registrar.keys, () => store.epoch)],
      port: 0,
      clock,
      title: 'Registry',
      version: '0',
    },
  });
  const client = new HttpClient({
    ...{ userAgent: 'test', allowHosts: [http.url], delayMs: 0, retries: 0, retryAfterMaxMs: 0 },
  });
  /** Remove what has expired, as a Broker does now and then. */
  const clean = async () => {
    await store.expire();
    await directory.upToDate();
  };
  const second = () => Math.floor(clock.now() / 1000);
  return {
    ...{ clock, store, database, directory, collected, registrar, refusals, url: http.url, clean },
    fetch: client.fetch,
    changed: () =>
      new Promise<void>((resolve) => {
        const stop = store.onChange(() => {
          stop();
          void directory.upToDate().then(resolve);
        });
      }),
    send: async (
      identity: Identity,
      own: Partial<ServerDescription> = {},
      { updatedAt = second(), isUnchanged = false } = {},
    ) => {
      const object = descriptionObject({ ...described, ...own }, updatedAt);
      await publish(http.url, publicationOf(identity, object, { updatedAt, isUnchanged }), client);
      await directory.upToDate();
    },
    withdraw: async (identity: Identity, { url = described.url, updatedAt = second() } = {}) => {
      await publish(http.url, withdrawalOf(identity, url, updatedAt), client);
      await directory.upToDate();
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await registrar[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
