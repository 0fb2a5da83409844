import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defaultPolicy, type OpenedCache, openCache, openUpstream } from '../../cache/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';

/** The result of a process that stored or opened the objects. */
export interface MillionStored {
  readonly objects: number;
  readonly seconds: number;
  readonly grownBytes: number;
}

const contentBytes = 200;
/** Concurrent commits, as from so many clients. */
const together = 64;

/** Resident bytes that are not mapped from a file. */
function ownBytes(): number {
  const kib = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kib === undefined) throw new TypeError('/proc/self/status has no RssAnon');
  return Number(kib) * 1024;
}

/** Resident bytes after garbage collection. */
async function settledBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let count = 0; count < 3; count++) {
    collect();
    await sleep(200);
  }
  return ownBytes();
}

/** Open a cache for many objects in a folder. */
export function openMillion(folder: string, diskBytes = 8 * 2 ** 30): Promise<OpenedCache> {
  return openCache({
    ...{ name: 'bench', folder, memoryBytes: 2 ** 20, diskBytes, largestEntryBytes: 2 ** 20 },
    ...{ policy: defaultPolicy, collapseWaitMs: 1000 },
    ...{ upstream: openUpstream({ allowHosts: [] }), clock: systemClock, random: systemRandom },
  });
}

async function put({ store }: OpenedCache, at: number, content: Uint8Array): Promise<void> {
  const url = `http://www.example.org/some/folder/of/documents/${at}.html`;
  const now = systemClock.now();
  const writer = store.write({
    key: url,
    length: content.length,
    head: {
      ...{ url, status: 200, reason: 'OK', selecting: [], authorized: false },
      ...{ requestedAtMs: now, receivedAtMs: now },
      fields: [
        ...['Date', new Date(now).toUTCString(), 'Content-Type', 'text/html; charset=utf-8'],
        ...['Cache-Control', 'max-age=86400', 'ETag', `"${at}"`, 'Server', 'bench'],
      ],
    },
  });
  await writer?.append(content);
  if ((await writer?.commit()) === undefined) throw new Error(`object ${at} was not stored`);
}

/** Store `count` objects in an empty folder. */
export async function probeCacheFill([folder = '', count = '']: readonly string[]): Promise<MillionStored> {
  await using opened = await openMillion(folder);
  const content = Buffer.alloc(contentBytes, 'x');
  const objects = Number(count);
  const before = await settledBytes();
  const started = performance.now();
  for (let at = 0; at < objects; at += together)
    await Promise.all(
      Array.from({ length: Math.min(together, objects - at) }, (_, more) => put(opened, at + more, content)),
    );
  const seconds = (performance.now() - started) / 1000;
  const grownBytes = (await settledBytes()) - before;
  return { objects: opened.store.statistics().entries, seconds, grownBytes };
}

/** Open a folder with many objects. */
export async function probeCacheOpen([folder = '']: readonly string[]): Promise<MillionStored> {
  const before = await settledBytes();
  const started = performance.now();
  await using opened = await openMillion(folder);
  const seconds = (performance.now() - started) / 1000;
  const grownBytes = (await settledBytes()) - before;
  return { objects: opened.store.statistics().entries, seconds, grownBytes };
}
