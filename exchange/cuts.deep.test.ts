import assert from 'node:assert/strict';
import { type AddressInfo, createServer, connect as dialPort, type Socket } from 'node:net';
import { test } from 'node:test';
import type { Marker, Replica, Want } from '../awareness/index.ts';
import { isGarnerError, seededRandom, systemClock, systemRandom } from '../kernel/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { connect, type Session } from '../wire/index.ts';
import type { Resume } from './collect-options.ts';
import { TwoStores } from './testing/two-stores.ts';

/** A link whose connections break after so many bytes in both directions together. */
class Link implements AsyncDisposable {
  bytes = 0;
  cutAt = Number.POSITIVE_INFINITY;
  readonly #sockets = new Set<Socket>();
  readonly #server: ReturnType<typeof createServer>;
  readonly #bench: TwoStores;

  constructor(bench: TwoStores) {
    this.#bench = bench;
    const { port } = new URL(bench.url);
    this.#server = createServer((near) => {
      const far = dialPort(Number(port), '127.0.0.1');
      const pass = (from: Socket, to: Socket) => {
        this.#sockets.add(from);
        from.setNoDelay(true);
        from.on('error', () => {});
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.on('data', (bytes) => {
          const left = Math.max(0, this.cutAt - this.bytes);
          this.bytes += Math.min(bytes.length, left);
          if (bytes.length <= left) to.write(bytes);
          else {
            from.destroy();
            to.end(bytes.subarray(0, left), () => to.destroy());
          }
        });
      };
      pass(near, far);
      pass(far, near);
    });
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  connect(): Promise<Session> {
    const { port } = this.#server.address() as AddressInfo;
    return connect({
      url: `ws://127.0.0.1:${port}`,
      identity: this.#bench.broker,
      name: 'topic',
      role: 'broker',
      clock: systemClock,
      random: systemRandom,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const held = async (of: Pick<Replica, 'scan'>) => {
  const rows: string[] = [];
  for await (const { oid, digest } of of.scan())
    rows.push(`${oid.slice(0, 21)} ${Buffer.from(digest.subarray(0, 16)).toString('hex')}`);
  return rows;
};

const filler = (n: number) => Buffer.from(seededRandom(n).bytes(2000)).toString('base64');
const objects = Number(process.env.GARNER_TEST_OBJECTS ?? 160);

/** Change the source: a quarter changed, a quarter new, some deleted. */
async function change(bench: TwoStores): Promise<{ learned: number; forgotten: number }> {
  const numbers = Array.from({ length: objects }, (_, n) => n);
  await bench.source.apply([
    ...numbers.filter((n) => n % 4 === 0).map((n) => bench.put(n, `changed ${n} ${filler(n)}`)),
    ...numbers.filter((n) => n % 4 === 1).map((n) => bench.put(objects + n, `new ${filler(objects + n)}`)),
    ...numbers.filter((n) => n % 8 === 3).map((n) => ({ kind: 'delete' as const, oid: bench.oid(n) })),
  ]);
  return { learned: objects / 2, forgotten: objects / 8 };
}

/** Everything up to a marker in this life of the source must be present, changed or not since. */
async function checkMarker(bench: TwoStores, replica: Replica, marker: Marker | undefined, what: string) {
  if (marker === undefined || marker.epoch !== bench.source.epoch) return;
  await using snapshot = await bench.source.snapshot();
  const there = new Set(await held(replica));
  const handles = new Set([...there].map((row) => row.split(' ')[0]));
  for await (const { lsn, row, meta } of (async function* () {
    for await (const rows of snapshot.log(0)) yield* rows;
  })()) {
    if (lsn > marker.lsn) break;
    if (row.kind === 'delete')
      assert.ok(!handles.has(row.oid.slice(0, 21)), `${what}: it is deleted at ${lsn}`);
    else if (row.kind === 'put' && meta !== undefined)
      assert.ok(
        there.has(`${row.oid.slice(0, 21)} ${Buffer.from(meta.digest.subarray(0, 16)).toString('hex')}`),
        `${what}: the marker is at ${marker.lsn} and ${lsn} is not there`,
      );
  }
}

const schemes = [
  undefined,
  'log',
  'log-handles',
  'signature',
  'simple-snapshot',
  'short-ids',
  'sketch',
  'hierarchical-signatures',
  'hierarchical-signatures-binary',
];

const wants: readonly Want[] = [
  { kind: 'objects' },
  { kind: 'attributes', names: ['Title'] },
  { kind: 'handles' },
];

/** The copy, with a count of learned objects whether or not its round comes to an end. */
function counted(replica: Replica, count: { learned: number; forgotten: number }): Replica {
  return {
    ...replica,
    apply: async (steps, marker) => {
      await replica.apply(steps, marker);
      for (const { kind } of steps) {
        if (kind === 'put' || kind === 'note') count.learned++;
        else if (kind === 'delete') count.forgotten++;
      }
    },
  };
}

test('a link cut at any points: every scheme ends with an equal copy and learns nothing twice', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  const random = seededRandom(seed);
  await using bench = await TwoStores.make();
  await bench.source.apply(Array.from({ length: objects }, (_, n) => bench.put(n, `${n} ${filler(n)}`)));
  await using link = await new Link(bench).open();
  const copies: { scheme: string | undefined; want: Want; store: ObjectStore; uncut: ObjectStore }[] = [];
  for (const want of wants)
    for (const scheme of schemes) {
      const name = `${scheme} ${want.kind}`;
      const [store, uncut] = [
        bench.own(await bench.open(name)),
        bench.own(await bench.open(`${name} uncut`)),
      ];
      await using session = await link.connect();
      for (const each of [store, uncut])
        await bench.collect(session, { want, replica: await each.replica(bench.gatherer.serverId) });
      copies.push({ scheme, want, store, uncut });
    }
  const expected = await change(bench);
  const truth = await held(await bench.source.snapshot());
  const lines: string[] = [];
  for (const { scheme, want, store, uncut } of copies) {
    const what = `SEED=${seed}, ${scheme ?? 'the source chooses'}, ${want.kind}`;
    const options = { want, ...(scheme === undefined ? {} : { scheme }) };
    link.cutAt = Number.POSITIVE_INFINITY;
    const start = link.bytes;
    {
      await using session = await link.connect();
      await bench.collect(session, { ...options, replica: await uncut.replica(bench.gatherer.serverId) });
    }
    const whole = link.bytes - start;
    const count = { learned: 0, forgotten: 0 };
    const resume: Resume = {};
    const replica = counted(await store.replica(bench.gatherer.serverId), count);
    let cuts = 0;
    for (let done = false; !done; ) {
      // After some cuts the link holds.
      link.cutAt = cuts < 8 ? link.bytes + 1 + Math.floor(random.next() * whole) : Number.POSITIVE_INFINITY;
      try {
        await using session = await link.connect();
        await bench.collect(session, { ...options, replica, resume });
        done = true;
      } catch (error) {
        assert.ok(
          isGarnerError(error) && /^(WIRE|EXCHANGE_CUT)/.test(error.code),
          `${what}: ${(error as Error).stack}`,
        );
        cuts++;
      }
      await checkMarker(bench, replica, (await replica.state()).marker, what);
    }
    assert.deepEqual(await held(replica), truth, what);
    assert.deepEqual(count, expected, `${what}: learned and forgotten once`);
    lines.push(`${scheme ?? 'chosen'}/${want.kind} ${cuts}`);
  }
  t.diagnostic(`SEED=${seed}; cuts: ${lines.join(', ')}`);
});
