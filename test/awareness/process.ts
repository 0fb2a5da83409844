// One of the two processes of two-processes.deep.test.ts: node process.js VERB FOLDER COUNT, with the
// secret of the source's server in the environment. It exchanges messages with its parent.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Change,
  type Epoch,
  elementId,
  type Replica,
  SetFingerprint,
  type SourceSnapshot,
} from '../../awareness/index.ts';
import { answerVerbs, collect, MemoryKeyring, sourceVerbs } from '../../exchange/index.ts';
import { isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { connect, WireServer } from '../../wire/index.ts';

/** The numbers of changed, deleted and added objects, far from one another. */
export const differences = 1000;
export const expected = { learned: (differences * 3) / 4, forgotten: differences / 4 };

const updatedAt = 1_700_000_000;
const ttlSeconds = 30 * 24 * 3600;
const batch = 1000;

/** An object with its signature; an object that is never sent has none. */
function made(
  identity: Identity,
  n: number,
  version: number,
  signed: boolean,
): StoreOperation & { kind: 'put' } {
  const url = `http://synthetic.example/${n}`;
  // Sent objects are large enough for a cut between two messages, and do not compress.
  const text =
    version === 0 ? '' : createHash('shake256', { outputLength: 5000 }).update(url).digest('base64');
  const object = summaryObject(url, [
    ['Title', `Object ${n}, version ${version}`],
    ['Full-Text', text],
    ['Time-to-Live', ttlSeconds],
    ['Update-Time', updatedAt],
  ]);
  const oid = oidOf(identity.serverId, url);
  const digest = digestOf(object);
  const signature = signed ? identity.sign(provenanceBytes(oid, digest, updatedAt)) : new Uint8Array(64);
  const published = {
    oid,
    digest,
    body: encodeObject(object),
    updatedAt,
    publisher: identity.serverId,
    signature,
  };
  return { kind: 'put', object: published, url, ttlSeconds };
}

/** The differences between source and copy: a quarter added, a quarter deleted, half changed in place. */
function changes(identity: Identity, count: number): readonly StoreOperation[] {
  return Array.from({ length: differences }, (_, i): StoreOperation => {
    const n = Math.floor((i * count) / differences);
    if (i % 4 === 0) return made(identity, count + i, 1, true);
    const changed = made(identity, n, 1, true);
    return i % 4 === 1 ? { kind: 'delete', oid: changed.object.oid } : changed;
  });
}

async function open(folder: string): Promise<ObjectStore> {
  return ObjectStore.open(await openDatabase(folder), { clock: systemClock, random: systemRandom });
}

/** The contents of a store or a copy, as one hash. */
async function contents(entries: ReturnType<SourceSnapshot['scan']>): Promise<string> {
  const hash = createHash('sha256');
  for await (const { oid, digest } of entries) hash.update(oid).update(digest);
  return hash.digest('hex');
}

const say = (message: object) => new Promise<void>((resolve) => process.send?.(message, () => resolve()));
const heard = () => new Promise<unknown>((resolve) => process.once('message', resolve));
/** Memory of this process without mapped files: mapped pages of the database are the system's cache. */
function ownBytes(): number {
  const kib = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kib === undefined ? process.memoryUsage.rss() : Number(kib) * 1024;
}

let maxOwn = 0;
setInterval(() => {
  maxOwn = Math.max(maxOwn, ownBytes());
}, 20).unref();

/** The memory peak so far, without and with mapped files. */
const peak = () => ({
  peakBytes: Math.max(maxOwn, ownBytes()),
  mappedToo: process.resourceUsage().maxRSS * 1024,
});

async function fillSource(folder: string, count: number, identity: Identity): Promise<void> {
  await using store = await open(folder);
  await say({ epoch: store.epoch });
  for (let n = 0; n < count; n += batch)
    await store.apply(
      Array.from({ length: Math.min(batch, count - n) }, (_, i) => made(identity, n + i, 0, false)),
    );
}

async function fillCopy(folder: string, count: number, identity: Identity, epoch: Epoch): Promise<void> {
  await using store = await open(folder);
  const replica = await store.replica(identity.serverId);
  for (let n = 0; n < count; n += batch) {
    const lesson = Array.from({ length: Math.min(batch, count - n) }, (_, i): Change => {
      const { object } = made(identity, n + i, 0, false);
      return { kind: 'put', lsn: n + i + 1, object };
    });
    await replica.apply(lesson, { epoch, lsn: n + lesson.length });
  }
}

async function serve(folder: string, count: number, identity: Identity): Promise<void> {
  await using store = await open(folder);
  if (store.lsn === count) await store.apply(changes(identity, count));
  const { serverId, sign } = identity;
  await using wire = new WireServer({
    identity,
    name: 'source',
    role: 'gatherer',
    clock: systemClock,
    random: systemRandom,
    onChannel: answerVerbs(sourceVerbs({ source: store, serverId, sign, clock: systemClock })),
  });
  const http = createServer();
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  await say({ port: (http.address() as AddressInfo).port });
  await heard();
  const report = { ...peak(), cpuMs: process.cpuUsage().user / 1000, count: store.count };
  await using snapshot = await store.snapshot();
  await say({ ...report, contents: await contents(snapshot.scan()) });
  http.close();
}

/** The replica with counts of learned and forgotten objects, also when a round is cut. */
function counted(replica: Replica, count: { learned: number; forgotten: number }): Replica {
  return {
    ...replica,
    apply: async (steps, marker) => {
      await replica.apply(steps, marker);
      for (const { kind } of steps) {
        if (kind === 'put') count.learned++;
        else if (kind === 'delete') count.forgotten++;
      }
    },
  };
}

/** Repeat the round until it completes; the parent starts each attempt. */
async function collectAll(folder: string, identity: Identity, url: string, scheme: string): Promise<void> {
  await using store = await open(folder);
  const count = { learned: 0, forgotten: 0 };
  const replica = counted(await store.replica(identity.serverId), count);
  const keyring = new MemoryKeyring();
  let attempts = 0;
  const faults: string[] = [];
  const resume = {};
  let schemes: readonly string[] = [];
  for (let ended = false; !ended; ) {
    attempts++;
    await say({ attempt: attempts });
    await heard();
    try {
      await using session = await connect({
        url,
        identity: identityFrom(newIdentitySecret()),
        name: 'copy',
        role: 'broker',
        clock: systemClock,
        random: systemRandom,
      });
      const report = await collect({
        session,
        replica,
        keyring,
        clock: systemClock,
        name: 'source',
        deleteGuard: 0.2,
        resume,
        ...(scheme === '' ? {} : { scheme }),
      });
      ended = true;
      schemes = report.schemes;
    } catch (error) {
      faults.push(isGarnerError(error) ? error.code : String((error as Error).stack));
    }
  }
  const { marker, fingerprint } = await replica.state();
  const report = {
    attempts,
    faults,
    schemes,
    ...count,
    ...peak(),
    cpuMs: process.cpuUsage().user / 1000,
  };
  const rescanned = new SetFingerprint();
  if (marker !== undefined)
    for await (const { oid, digest } of replica.scan()) rescanned.add(elementId(marker.epoch, oid, digest));
  await say({
    ...report,
    lsn: marker?.lsn,
    sound: Buffer.compare(rescanned.digest(), fingerprint) === 0,
    contents: await contents(replica.scan()),
  });
}

const [verb, folder = '', count = '0', third = '', fourth = ''] = process.argv.slice(2);
if (verb !== undefined) {
  const identity = identityFrom(JSON.parse(process.env.GARNER_TEST_SECRET ?? '') as IdentitySecret);
  if (verb === 'fill-source') await fillSource(folder, Number(count), identity);
  else if (verb === 'fill-copy') await fillCopy(folder, Number(count), identity, third as Epoch);
  else if (verb === 'serve') await serve(folder, Number(count), identity);
  else if (verb === 'collect') await collectAll(folder, identity, third, fourth);
  process.disconnect();
}
