import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  bytesOfHandle,
  elementId,
  encodeShortIds,
  handleOf,
  type Replica,
  shortIdOf,
  signatureOf,
  type Want,
} from '../awareness/index.ts';
import { isGarnerError, seededRandom } from '../kernel/index.ts';
import { decodeObject } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { channelFault, type Message } from '../wire/index.ts';
import { encodeSplits } from './group-codec.ts';
import { askMessage } from './request-message.ts';
import { encodeSourceState } from './state-codec.ts';
import { ForgedFrames, serveForged, tampered, tamperedSession } from './testing/forged-frames.ts';
import { TwoStores } from './testing/two-stores.ts';
import { Transcript } from './transcript.ts';
import { readVectorMessage, signedFields } from './vector-message.ts';

/** Forged messages: 100,000 and more take minutes. */
const frames = Number(process.env.GARNER_FUZZ_FRAMES ?? 1_000);

/** Max growth of memory beside the usual memory of a test process. */
const maxGrowth = 300_000_000;

const chosen = [
  undefined,
  undefined,
  'log',
  'log-handles',
  'signature',
  'simple-snapshot',
  'short-ids',
  'sketch',
  'tail',
  'hierarchical-signatures',
  'hierarchical-signatures-binary',
];

const wants: readonly Want[] = [
  { kind: 'objects' },
  { kind: 'handles' },
  { kind: 'attributes', names: ['Title'] },
];

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Eleven characters for some bytes, so that the memory of a hundred thousand objects stays small. */
const mark = (bytes: Uint8Array | string) =>
  createHash('sha256').update(bytes).digest().subarray(0, 8).toString('base64url');

/** Marks of an object in binary form: of all of it, then of each of its attributes. */
function marksOf(body: Uint8Array): string {
  const attributes = decodeObject(body).attributes.map(({ name, value }) => mark(`${name} ${hex(value)}`));
  return [mark(body), ...attributes].join(' ');
}

/** Whether an object (in binary form) has nothing but attributes of another (its marks). */
function isPart(body: Uint8Array, whole: string): boolean {
  const [, ...own] = marksOf(body).split(' ');
  const [, ...all] = whole.split(' ');
  return own.every((each) => all.includes(each));
}

/** Everything that the honest store has ever had, and its present objects. */
class History {
  /** Marks of each by its handle and signature. */
  readonly #ever = new Map<string, string>();
  #now = new Map<string, string>();
  #numbers: number[] = [];
  #next = 0;

  /** Insert, change and delete some objects; deleted ones never come back, so that an old message stays true. */
  async grow(bench: TwoStores, frames: ForgedFrames): Promise<void> {
    const operations = Array.from({ length: Math.max(0, frames.below(6) - 2) }, () => {
      const what = frames.below(5);
      if (this.#numbers.length > 15 && (what < 2 || this.#numbers.length > 30)) {
        const [n] = this.#numbers.splice(frames.below(this.#numbers.length), 1);
        return { kind: 'delete' as const, oid: bench.oid(n as number) };
      }
      const fresh = what < 4 || this.#numbers.length === 0;
      const n = fresh ? this.#next++ : frames.pick(this.#numbers);
      if (fresh) this.#numbers.push(n);
      const version = `${n} ${this.#ever.size} ${what === 2 ? 'long '.repeat(200) : ''}`;
      return bench.put(n, version, bench.gatherer, [['Author', `Somebody ${n}`]]);
    });
    bench.clock.advance(1000);
    if (operations.length === 0) return;
    await bench.source.apply(operations);
    for (const operation of operations)
      if (operation.kind === 'put') {
        const { oid, digest, body } = operation.object;
        this.#ever.set(`${handleOf(oid)} ${hex(signatureOf(digest))}`, marksOf(body));
      }
    this.#now = await held(bench.source);
    await using snapshot = await bench.source.snapshot();
    const ids: Uint8Array[] = [];
    const handles: Uint8Array[] = [];
    for await (const { oid, digest } of snapshot.scan()) {
      const handle = bytesOfHandle(handleOf(oid));
      handles.push(handle);
      ids.push(encodeShortIds([shortIdOf(handle, elementId(snapshot.state.epoch, oid, digest))]));
    }
    frames.bait = { handles, ids };
  }

  /** Check that nothing was learned that the store never sent, and nothing forgotten that it has. */
  async check(
    before: ReadonlyMap<string, string>,
    after: ReadonlyMap<string, string>,
    copy: ObjectStore,
    want: Want,
    what: string,
  ): Promise<void> {
    for (const [handle, signature] of after)
      assert.ok(this.#ever.has(`${handle} ${signature}`), `${what}: the store never had this`);
    for (const [handle, signature] of before)
      assert.ok(
        after.has(handle) || this.#now.get(handle) !== signature,
        `${what}: forgotten, and yet the store has it`,
      );
    if (want.kind === 'handles') return;
    await using snapshot = await copy.snapshot();
    for await (const { oid, digest } of snapshot.scan()) {
      const body = (await snapshot.get(oid))?.body ?? new Uint8Array();
      const whole = this.#ever.get(`${handleOf(oid)} ${hex(signatureOf(digest))}`) ?? '';
      // A question that was changed on the way may bring other attributes than were wanted, never other values.
      const fits = want.kind === 'attributes' ? isPart(body, whole) : mark(body) === whole.split(' ')[0];
      assert.ok(fits, `${what}: the content is the store's`);
    }
  }
}

/** Handle and signature of all objects of a store or a replica. */
async function held(of: ObjectStore | Replica): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if ('scan' in of)
    for await (const { oid, digest } of of.scan()) found.set(handleOf(oid), hex(signatureOf(digest)));
  else {
    await using snapshot = await of.snapshot();
    for await (const { oid, digest } of snapshot.scan()) found.set(handleOf(oid), hex(signatureOf(digest)));
  }
  return found;
}

/** Counts the outcomes of the rounds, and watches memory. */
class Toll {
  readonly #outcomes = new Map<string, number>();
  readonly #start = process.memoryUsage.rss();
  #peak = 0;

  count(outcome: string): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }

  report(t: TestContext, seed: number, forged: number): void {
    const outcomes = [...this.#outcomes]
      .sort(([, a], [, b]) => b - a)
      .map(([name, times]) => `${name} ${times}`);
    const growth = this.#peak - this.#start;
    t.diagnostic(
      `SEED=${seed}: ${forged} forged messages; ${outcomes.join(', ')}; ${Math.round(growth / 1e6)} MB more`,
    );
    assert.ok(growth < maxGrowth, `memory grew by ${growth} bytes`);
  }
}

const seedOf = () => Number(process.env.SEED ?? Date.now() % 1e6);

/** Where both sides wait for one another, as after a withheld message, one of them must lose patience. */
const patience = () => AbortSignal.timeout(10_000);

/** Every fault must have a name of ours. */
function nameOf(error: unknown, what: string): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no patience';
  assert.ok(isGarnerError(error), `${what}: ${(error as Error).stack}`);
  return error.code;
}

test('answers that are forged on the way teach nothing that the store did not say', async (t) => {
  const seed = seedOf();
  const forger = new ForgedFrames(seededRandom(seed));
  await using bench = await TwoStores.make();
  const history = new History();
  const dial = await serveForged(bench, tampered(bench, forger.forge));
  await using session = await dial();
  await using honest = await bench.connect();
  const copies = await Promise.all(
    wants.map(async ({ kind }) => bench.own(await bench.open(`copy of ${kind}`))),
  );
  const toll = new Toll();
  let round = 0;
  for (; forger.forged < frames; round++) {
    await history.grow(bench, forger);
    const at = forger.below(wants.length);
    const [want, copy] = [wants[at] as Want, copies[at] as ObjectStore];
    const replica = await copy.replica(bench.gatherer.serverId);
    const scheme = forger.pick(chosen);
    const what = `SEED=${seed}, round ${round}, ${scheme} of ${want.kind}`;
    const before = await held(replica);
    const options = { replica, want, signal: patience(), ...(scheme === undefined ? {} : { scheme }) };
    const outcome = await bench.collect(session, options).then(
      () => 'no error',
      (error: unknown) => nameOf(error, what),
    );
    toll.count(outcome);
    await history.check(before, await held(replica), copy, want, what);
    const { marker } = await replica.state();
    assert.ok(
      marker === undefined || marker.epoch === bench.source.epoch,
      `${what}: another life of the store`,
    );
    // After any damage to the copy, an honest answer repairs it.
    if (round % 20 !== 19) continue;
    // A log of nothing but deletions would make each round longer than the one before.
    await bench.source.forgetTombstones(100);
    await copy.forgetTombstones(100);
    await bench.collect(honest, { replica, want });
    assert.deepEqual(await held(replica), await held(bench.source), what);
  }
  toll.report(t, seed, forger.forged);
});

test('forged questions are answered or refused, and the store goes on', async (t) => {
  const seed = seedOf();
  const forger = new ForgedFrames(seededRandom(seed));
  await using bench = await TwoStores.make();
  const history = new History();
  await using session = await bench.connect();
  await using honest = await bench.connect();
  const copies = await Promise.all(
    wants.map(async ({ kind }) => bench.own(await bench.open(`copy of ${kind}`))),
  );
  const toll = new Toll();
  const faults: string[] = [];
  const stop = channelFault.subscribe(({ error, message }) => {
    // An answer that is cut because its client left is not a fault of the store.
    if (!isGarnerError(error)) faults.push(`${message}: ${(error as Error).stack}`);
  });
  try {
    for (let round = 0; forger.forged < frames / 4; round++) {
      await history.grow(bench, forger);
      const at = forger.below(wants.length);
      const [want, copy] = [wants[at] as Want, copies[at] as ObjectStore];
      const replica = await copy.replica(bench.gatherer.serverId);
      const scheme = forger.pick(chosen);
      const what = `SEED=${seed}, round ${round}, ${scheme} of ${want.kind}`;
      const before = await held(replica);
      const options = { replica, want, signal: patience(), ...(scheme === undefined ? {} : { scheme }) };
      const outcome = await bench.collect(tamperedSession(session, forger.forge), options).then(
        () => 'no error',
        (error: unknown) => nameOf(error, what),
      );
      toll.count(outcome);
      assert.deepEqual(faults, [], what);
      await history.check(before, await held(replica), copy, want, what);
      if (round % 20 !== 19) continue;
      await bench.collect(honest, { replica, want });
      assert.deepEqual(await held(replica), await held(bench.source), what);
    }
  } finally {
    stop();
  }
  toll.report(t, seed, forger.forged);
});

/** Answers without end, each with a function that makes the next message from the number of those before it. */
const endless: Readonly<Record<string, { scheme?: string; next: (n: number, s: Uint8Array) => Message }>> = {
  'messages that say nothing': { next: () => ({ type: 'tell' }) },
  'sequence numbers that stay': { next: () => ({ type: 'tell', lsn: 1 }) },
  'refreshes without a number': { next: () => ({ type: 'tell', refresh: [] }) },
  'ever more cells': { scheme: 'sketch', next: (n) => ({ type: 'tell', cells: 33 + n }) },
  'ever more groups': { scheme: 'hierarchical-signatures', next: () => ({ type: 'tell', end: true }) },
  'short ids that never end': {
    scheme: 'short-ids',
    next: (n) => ({ type: 'tell', ids: encodeShortIds([(n + 1) as never]) }),
  },
  'elements of no sketch': {
    scheme: 'sketch',
    next: (n) => ({
      type: 'tell',
      lost: encodeShortIds(Array.from({ length: 1000 }, (_, i) => (1000 * n + i) as never)),
    }),
  },
};

test('an answer without an end is broken off by its reader, signed or not', async () => {
  for (const [what, { scheme, next }] of Object.entries(endless))
    for (const signed of [false, true]) {
      await using bench = await TwoStores.make();
      await bench.source.apply(Array.from({ length: 40 }, (_, n) => bench.put(n, `${n}`)));
      await using honest = await bench.connect();
      await bench.collect(honest);
      await bench.source.apply([bench.put(50, 'new')]);
      let said = 0;
      const dial = await serveForged(bench, async (channel, question) => {
        const transcript = new Transcript((question.q as Uint8Array | undefined) ?? new Uint8Array());
        const s = encodeSourceState(await bench.source.state(), false);
        for (; said < 100_000; said++) {
          const message = { ...next(said, s), ...(said === 0 ? { s } : {}) };
          const sig = bench.gatherer.sign(
            transcript.say(signedFields(readVectorMessage(message).fields, undefined)),
          );
          await channel.send({ ...message, ...(signed ? { sig } : {}) });
        }
      });
      await using session = await dial();
      await assert.rejects(
        bench.collect(session, scheme === undefined ? {} : { scheme }),
        (error) => isGarnerError(error),
        what,
      );
      assert.ok(said < 20_000, `${what}: ${said} messages were taken`);
      assert.equal((await (await bench.copy.replica(bench.gatherer.serverId)).state()).count, 40, what);
    }
});

test('a request that is worth a thousand times its size is refused', async () => {
  await using bench = await TwoStores.make();
  await bench.source.apply(Array.from({ length: 40 }, (_, n) => bench.put(n, `${n}`)));
  await using session = await bench.connect();
  const position = (byte: number) => '\0'.repeat(15) + String.fromCharCode(byte);
  const request = (own: number) => ({
    prevMax: undefined,
    min: position(0),
    max: 'ÿ'.repeat(16),
    nextMin: undefined,
    own: Array.from({ length: own }, (_, i) => ({ to: position(i), data: new Uint8Array(16) })),
  });
  for (const requests of [Array.from({ length: 129 }, () => request(1)), [request(33)]]) {
    const ask = {
      marker: undefined,
      held: 1,
      fingerprint: new Uint8Array(16),
      want: { kind: 'objects' as const },
    };
    await using channel = await session.open(askMessage({ ...ask, scheme: 'hierarchical-signatures' }));
    for (let message = await channel.receive(); message?.end !== true; message = await channel.receive())
      assert.ok(message !== undefined);
    await channel.send({ type: 'split', groups: encodeSplits(requests) });
    await assert.rejects(
      channel.receive(),
      (error) => isGarnerError(error) && JSON.stringify(error.data).includes('EXCHANGE_MESSAGE'),
    );
  }
});
