import { createHash } from 'node:crypto';
import type { Change, Epoch, Marker, PublishedObject } from '../../awareness/index.ts';
import { type ManualClock, type Random, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../../store/index.ts';

/** One operation on a store. */
export type StepWork =
  | { readonly kind: 'apply'; readonly operations: readonly StoreOperation[]; readonly sync: boolean }
  | {
      readonly kind: 'learn';
      readonly source: string;
      readonly changes: readonly Change[];
      readonly marker: Marker;
    }
  | { readonly kind: 'expire'; readonly graceSeconds: number }
  | { readonly kind: 'forget'; readonly ageSeconds: number }
  | { readonly kind: 'drop'; readonly source: string }
  | { readonly kind: 'flush' };

/** A step of the history with its time in milliseconds. */
export interface Step {
  readonly nowMs: number;
  readonly work: StepWork;
}

const startMs = 1_700_000_000_000;
const stepMs = 1000;
/** Every so many steps the clock advances so far that everything expires: more than fits in one batch. */
const [longSleepSteps, longSleepMs] = [60, 2_000_000_000];
const sourceNames = ['one', 'two'];

const publishers = ['own', 'foreign'].map(
  (name) =>
    createHash('sha256').update(name).digest().subarray(0, 16).toString('base64url') as unknown as ServerId,
);

const epochs = [1, 2, 3].map(
  (n) => createHash('sha256').update(`epoch ${n}`).digest().subarray(0, 12).toString('base64url') as Epoch,
);

const whole = (random: Random, below: number) => Math.floor(random.next() * below);
const pick = <Item>(random: Random, items: readonly Item[]) => items[whole(random, items.length)] as Item;

interface Made {
  readonly object: PublishedObject;
  readonly url: string;
  readonly ttlSeconds: number;
}

/** An object of the own publisher (0) or of the sources (1), with content that depends only on its version. */
function made(publisher: 0 | 1, n: number, version: number, updatedAt: number, signature: Uint8Array): Made {
  const url = `http://${publisher === 0 ? 'own' : 'foreign'}.example/${n}`;
  const content = seededRandom(n * 1009 + version);
  const ttlSeconds = pick(content, [20, 60, 200, 1_000_000]);
  const outputLength = pick(content, [20, 200, 2000, 6000]);
  const text = createHash('shake256', { outputLength }).update(`${n}.${version}`).digest('hex');
  const object = summaryObject(url, [
    ['Title', `${n}.${version}`],
    ['Full-Text', text],
    ['Time-to-Live', ttlSeconds],
    ['Update-Time', updatedAt],
  ]);
  const server = publishers[publisher] as ServerId;
  const published = {
    oid: oidOf(server, url),
    digest: digestOf(object),
    body: encodeObject(object),
    updatedAt,
    publisher: server,
    signature,
  };
  return { object: published, url, ttlSeconds };
}

const oidFor = (publisher: 0 | 1, n: number): Oid =>
  oidOf(publishers[publisher] as ServerId, `http://${publisher === 0 ? 'own' : 'foreign'}.example/${n}`);

function operation(random: Random, seconds: number): StoreOperation {
  const n = whole(random, 1200);
  const updatedAt = seconds - whole(random, 3);
  const signature = random.bytes(64);
  const roll = random.next();
  if (roll < 0.6) return { kind: 'put', ...made(0, n, whole(random, 4), updatedAt, signature) };
  if (roll < 0.8) return { kind: 'refresh', oid: oidFor(0, n), updatedAt, signature };
  // Half of them are signed.
  const withdrawal = { publisher: publishers[0] as ServerId, updatedAt, signature };
  return { kind: 'delete', oid: oidFor(0, n), ...(roll < 0.9 && { withdrawal }) };
}

function change(random: Random, seconds: number, lsn: number): Change {
  const n = whole(random, 150);
  const updatedAt = seconds - whole(random, 3);
  const signature = random.bytes(64);
  const roll = random.next();
  if (roll < 0.6)
    return { kind: 'put', lsn, object: made(1, n, whole(random, 2), updatedAt, signature).object };
  const oid = oidFor(1, n);
  if (roll < 0.75)
    return {
      kind: 'refresh',
      lsn,
      refresh: { oid, updatedAt, signature, publisher: publishers[1] as ServerId },
    };
  return { kind: 'delete', lsn, oid };
}

/** The `k`th step of a history: it depends only on the seed and `k`, so it can be repeated after a kill. */
export function stepAt(seed: number, k: number): Step {
  const random = seededRandom(Math.imul(seed ^ Math.imul(k + 1, 0x9e37_79b1), 0x85eb_ca6b));
  const nowMs = startMs + k * stepMs + Math.floor(k / longSleepSteps) * longSleepMs;
  const seconds = Math.floor(nowMs / 1000);
  const size = random.next() < 0.1 ? 400 : 1 + whole(random, 60);
  const roll = random.next();
  const source = pick(random, sourceNames);
  let work: StepWork;
  if (roll < 0.5) {
    const operations = Array.from({ length: size }, () => operation(random, seconds));
    work = { kind: 'apply', operations, sync: random.next() < 0.1 };
  } else if (roll < 0.78) {
    const changes = Array.from({ length: size % 60 }, () => change(random, seconds, k));
    // A source begins a new life now and then.
    const epoch = random.next() < 0.9 ? (epochs[0] as Epoch) : pick(random, epochs);
    work = { kind: 'learn', source, changes, marker: { epoch, lsn: k } };
  } else if (roll < 0.9) work = { kind: 'expire', graceSeconds: whole(random, 3) };
  else if (roll < 0.95) work = { kind: 'forget', ageSeconds: pick(random, [5, 50, 500]) };
  else if (roll < 0.97) work = { kind: 'drop', source };
  else work = { kind: 'flush' };
  return { nowMs, work };
}

/** Do a step to a store. */
export async function doStep(store: ObjectStore, clock: ManualClock, { nowMs, work }: Step): Promise<void> {
  clock.advance(nowMs - clock.now());
  switch (work.kind) {
    case 'apply':
      await store.apply(work.operations, { sync: work.sync });
      return;
    case 'learn':
      await (await store.replica(work.source)).apply(work.changes, work.marker);
      return;
    case 'expire':
      await store.expire(work.graceSeconds);
      return;
    case 'forget':
      return store.forgetTombstones(work.ageSeconds);
    case 'drop':
      return store.dropPartition(work.source);
    case 'flush':
      return store.flush();
  }
}
