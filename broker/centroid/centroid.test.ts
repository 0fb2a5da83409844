import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '../../http/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  type SummaryObject,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { parseCentroid } from '../testing/centroid-grammar.ts';
import { centroidRoute } from './centroid-route.ts';
import { centroidText } from './centroid-text.ts';

const { serverId, sign } = identityFrom(newIdentitySecret());

async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), 'garner-centroid-'));
  const clock = new ManualClock();
  const store = await ObjectStore.open(await openDatabase(folder), { clock, random: seededRandom(1) });
  const put = (objects: readonly SummaryObject[]) =>
    store.apply(
      objects.map((object) => {
        const [oid, digest, updatedAt] = [oidOf(serverId, object.url), digestOf(object), 1];
        const signature = sign(provenanceBytes(oid, digest, updatedAt));
        const signed = { oid, digest, body: encodeObject(object), updatedAt, publisher: serverId, signature };
        return { kind: 'put', url: object.url, ttlSeconds: 2 ** 31, object: signed };
      }),
    );
  const signal = new AbortController().signal;
  return {
    ...{ clock, store, put },
    text: async (units?: number) => {
      const parts: string[] = [];
      const now = clock.now();
      for await (const part of centroidText({
        store,
        server: serverId,
        now,
        signal,
        ...(units && { units }),
      }))
        parts.push(part);
      return parts.join('');
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const objects = [
  summaryObject('https://a.example/1', [
    ['Title', 'The Mooring, the mooring!'],
    ['Author-1', 'Jo Fältström'],
    ['Author-2', 'Ada Žižek'],
    ['Keywords', '港 波止場'],
    ['MD5', '00112233445566778899aabbccddeeff'],
    ['File-Size', 77],
  ]),
  summaryObject('https://a.example/2', [
    ['title', 'C++ at 20'],
    ['Embed<1>-Abstract', 'Piers'],
    ['Description', '...'],
  ]),
  summaryObject('https://a.example/3', [['Title', 'Physics']], 'BROKER'),
  summaryObject('https://a.example/4', [['Title', 'Tides']], 'REPORT'),
];

test('the centroid of a Broker follows the grammar of RFC 1913 and lists the words of each attribute', async () => {
  await using broker = await openStore();
  assert.equal(parseCentroid(Buffer.from(await broker.text(), 'latin1')).templates.size, 0);
  await broker.put(objects);
  const text = await broker.text();
  const { head, templates } = parseCentroid(Buffer.from(text, 'latin1'));
  assert.equal(head.get('Server-handle'), serverId);
  assert.deepEqual(
    [...templates].map(([type, fields]) => [type, Object.fromEntries(fields)]),
    [
      ['BROKER', { title: ['physics'] }],
      [
        'FILE',
        {
          abstract: ['piers'],
          // As written where ISO-8859-1 has the letters, and without accents where it has not.
          author: ['ada', 'fältström', 'jo', 'zizek'],
          title: ['20', 'at', 'c++', 'mooring', 'the'],
        },
      ],
      ['REPORT', { title: ['tides'] }],
    ],
  );
  for (const wrong of [text.replace('\r\n-', '\r\n -'), text.replace(/ Data: .*\r\n/, ''), text.slice(0, -2)])
    assert.throws(() => parseCentroid(Buffer.from(wrong, 'latin1')));
});

test('a centroid larger than the memory it may take is the same, and follows deletions', async () => {
  await using broker = await openStore();
  const random = seededRandom(7);
  const word = () => Math.floor(random.next() * 3000).toString(36);
  await broker.put(
    Array.from({ length: 150 }, (_, i) =>
      summaryObject(`https://a.example/${i}`, [
        ['Title', Array.from({ length: 20 }, word).join(' ')],
        ['Keywords', word()],
      ]),
    ),
  );
  const whole = await broker.text();
  assert.ok(whole.length > 10_000);
  for (const units of [2000, 20_000]) assert.equal(await broker.text(units), whole, `${units} units`);
  await broker.store.apply([{ kind: 'delete', oid: oidOf(serverId, 'https://a.example/0') }]);
  assert.notEqual(await broker.text(), whole);
});

test('an unchanged centroid is not made again; each client has one at a time, read as fast as it reads', {
  timeout: 120_000,
}, async () => {
  await using broker = await openStore();
  const { store, clock, put } = broker;
  const title = (from: number) =>
    Array.from({ length: 2000 }, (_, i) => `${from + i}`.padEnd(60, 'x')).join(' ');
  await put(
    Array.from({ length: 80 }, (_, i) =>
      summaryObject(`https://a.example/${i}`, [['Title', title(i * 2000)]]),
    ),
  );
  let made = 0;
  const counted = {
    ...{ epoch: store.epoch },
    get lsn() {
      return store.lsn;
    },
    snapshot: () => {
      made++;
      return store.snapshot();
    },
  };
  const http = await serveHttp({
    ...{ routes: [centroidRoute({ store: counted, server: serverId, clock })], port: 0, clock },
    ...{ title: 'Broker', version: '0' },
  });
  try {
    const open = (headers = {}) =>
      new Promise<IncomingMessage>((resolve, reject) =>
        request(`${http.url}centroid`, { agent: false, headers }, resolve).on('error', reject).end(),
      );
    const whole = async (response: IncomingMessage) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      return Buffer.concat(parts);
    };
    // It is longer than what the sockets hold, and nobody reads it.
    const first = await open();
    assert.equal(first.headers['content-type'], 'text/plain; charset=iso-8859-1');
    const second = await open();
    assert.equal(second.statusCode, 503);
    assert.match((await whole(second)).toString(), /BROKER_CENTROID_BUSY/);
    // A client that goes away frees its place.
    const gone = new Promise((resolve) => first.once('close', resolve));
    first.destroy();
    await gone;
    let again = await open();
    while (again.statusCode === 503) {
      await whole(again);
      again = await open();
    }
    assert.equal(
      parseCentroid(await whole(again))
        .templates.get('FILE')
        ?.get('title')?.length,
      160_000,
    );
    assert.equal(made, 2);
    const etag = again.headers.etag ?? '';
    const unchanged = await open({ 'if-none-match': etag });
    assert.deepEqual([unchanged.statusCode, (await whole(unchanged)).length, made], [304, 0, 2]);
    await put([summaryObject('https://a.example/0', [['Title', 'other']])]);
    const changed = await open({ 'if-none-match': etag });
    assert.equal(changed.statusCode, 200);
    changed.destroy();
  } finally {
    await http[Symbol.asyncDispose]();
  }
});
