import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryKeyring } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { type Publication, publicationOf } from '../../publication/index.ts';
import { Directory, Registrar } from '../../registry/index.ts';
import {
  decodeObject,
  digestOf,
  encodeObject,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  summaryObject,
} from '../../soif/index.ts';
import { openDataFolder, type StoreOperation } from '../../store/index.ts';
import { quantile } from '../harness/statistics.ts';

/** What one store of servers, or of the same objects, costs. */
export interface Costs {
  readonly perSecond: number;
  readonly byIdMs: number;
  readonly bytes: number;
}

export interface RegistryCosts extends Costs {
  readonly renewalsPerSecond: number;
  readonly byPrefixMs: number;
}

/** Bytes in use after garbage collection. */
function bytesUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Ten servers at each host, as departments of an institution. */
const hostOf = (n: number) => `https://library-${Math.floor(n / 10)}.example/`;
const urlOf = (n: number) => `${hostOf(n)}${n % 10}/`;

const attributesOf = (n: number): readonly (readonly [string, string])[] => [
  ['Title', `Library ${n}`],
  ['Description', `Papers on tides and moorings, and on harbours of coast ${n % 100}`],
  ['Administrator', `office@library-${n}.example`],
  ['Location', `Coast ${n % 100}`],
  ['Software-Version', 'garner/0.2.0'],
  ['Objects', String(n * 7)],
];

const asked = 1000;
/** Servers spread over all. */
const spread = (count: number, at: number) => Math.floor((at * 7919) % count);

async function p95(look: (at: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < asked; at++) {
    const started = performance.now();
    await look(at);
    times.push(performance.now() - started);
  }
  return quantile(times, 0.95);
}

const open = (path: string, role: 'registry' | 'gatherer') =>
  openDataFolder(path, { role, create: true, clock: systemClock, random: systemRandom });

/** Register this many servers, each with a key of its own, and look them up. */
export async function directoryCosts(folder: string, count: number): Promise<RegistryCosts> {
  const path = join(folder, 'registry');
  const servers = Array.from({ length: count }, () => identityFrom(newIdentitySecret()));
  const second = Math.floor(systemClock.now() / 1000);
  const publications = (isUnchanged: boolean): readonly Publication[] =>
    servers.map((server, n) => {
      const updatedAt = second + (isUnchanged ? 1 : 0);
      const own = [
        ['Refresh-Rate', 60],
        ['Time-to-Live', 86_400],
        ['Update-Time', updatedAt],
      ] as const;
      const object = summaryObject(urlOf(n), [...attributesOf(n), ...own], 'BROKER');
      return publicationOf(server, object, { updatedAt, isUnchanged });
    });
  const [first, renewals] = [publications(false), publications(true)];
  const before = bytesUsed();
  try {
    await using data = await open(path, 'registry');
    const { store } = data;
    await using directory = await Directory.open(store, systemClock);
    await using registrar = await Registrar.open({
      ...{ store, database: await data.database('registrar'), directory, clock: systemClock },
      ...{ collected: new MemoryKeyring(), maxServers: count, isBlocked: async () => false },
      own: data.identity.serverId,
    });
    const rate = async (sent: readonly Publication[]) => {
      const started = performance.now();
      // As many at once as a Registry lets through.
      for (let at = 0; at < sent.length; at += 64)
        await Promise.all(sent.slice(at, at + 64).map((one) => registrar.publish(one)));
      await directory.upToDate();
      return count / ((performance.now() - started) / 1000);
    };
    const perSecond = await rate(first);
    const renewalsPerSecond = await rate(renewals);
    const ids = servers.map(({ serverId }, n) => oidOf(serverId, urlOf(n)));
    const found = (is: unknown) => {
      if (is === undefined || is === 0) throw new Error('a registered server is not found');
    };
    const byIdMs = await p95((at) => found(directory.find(ids[spread(count, at)] ?? '')));
    const byPrefixMs = await p95((at) =>
      found(directory.page({ prefix: hostOf(spread(count, at)) }, { limit: 20 }).total),
    );
    return { perSecond, renewalsPerSecond, byIdMs, byPrefixMs, bytes: bytesUsed() - before };
  } finally {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Objects that a Gatherer writes in one step. */
const batch = 128;

/** Sign and put the same objects into the store of a Gatherer, in steps like its own, and look them up. */
export async function productionCosts(folder: string, count: number): Promise<Costs> {
  const path = join(folder, 'production');
  const before = bytesUsed();
  try {
    await using data = await open(path, 'gatherer');
    const { store, identity } = data;
    const updatedAt = Math.floor(systemClock.now() / 1000);
    const put = (n: number): StoreOperation => {
      const own = [
        ['Refresh-Rate', 60],
        ['Time-to-Live', 86_400],
        ['Update-Time', updatedAt],
      ] as const;
      const object = summaryObject(urlOf(n), [...attributesOf(n), ...own], 'BROKER');
      const [oid, digest] = [oidOf(identity.serverId, object.url), digestOf(object)];
      const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
      const { serverId: publisher } = identity;
      return {
        ...{ kind: 'put', url: object.url, ttlSeconds: 86_400 },
        object: { oid, digest, body: encodeObject(object), updatedAt, publisher, signature },
      };
    };
    const started = performance.now();
    for (let from = 0; from < count; from += batch)
      await store.apply(Array.from({ length: Math.min(batch, count - from) }, (_, at) => put(from + at)));
    await store.flush();
    const perSecond = count / ((performance.now() - started) / 1000);
    const byIdMs = await p95(async (at) => {
      const held = await store.get(oidOf(identity.serverId, urlOf(spread(count, at))));
      if (held === undefined || decodeObject(held.body).url === '') throw new Error('an object is not found');
    });
    return { perSecond, byIdMs, bytes: bytesUsed() - before };
  } finally {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
