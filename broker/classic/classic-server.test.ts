import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type RouteRequest, TokenBook } from '../../http/index.ts';
import { ManualClock, systemClock, systemRandom } from '../../kernel/index.ts';
import { parseSoif } from '../../soif/index.ts';
import { readKept, writeKept } from '../../store/index.ts';
import { Administration } from '../administration/administration.ts';
import { administrationRoutes } from '../administration/administration-routes.ts';
import { AuditTrail } from '../administration/audit-trail.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { classicBroker } from './classic-broker.ts';
import { type ClassicOptions, serveClassic } from './classic-server.ts';
import { classicSessionEnded } from './events.ts';

/** The whole reply of a server to `said`. */
async function conversation(port: number, said: string | Uint8Array): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  // Clients of the time leave their side open and read until the end.
  socket.write(said);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  socket.destroy();
  return Buffer.concat(chunks).toString('utf8');
}

interface Scene extends AsyncDisposable {
  readonly site: Source;
  readonly topic: OpenBroker;
  readonly port: number;
  readonly audit: AuditTrail;
}

async function open(options: Partial<ClassicOptions> = {}): Promise<Scene> {
  const folder = await scratch();
  const site = await Source.open(join(folder.path, 'site'));
  await site.folder.store.apply([
    site.put('a', 'the harbour has moorings', now(), [
      ['Author', 'Ada\nByron'],
      ['MD5', '0123abc'],
    ]),
    site.put('b', 'the lighthouse of the harbour'),
    site.put('c', 'nothing but hills'),
  ]);
  const topic = await OpenBroker.open(join(folder.path, 'broker'), [site.url]);
  topic.broker.start();
  await topic.fresh();
  const parts = { clock: systemClock, random: systemRandom, replace: writeKept, read: readKept };
  const audit = await AuditTrail.open(topic.folder.path, parts);
  const tokens = await TokenBook.open(join(folder.path, 'tokens.json'), parts);
  const log = { lines: () => [] };
  const administration = new Administration({ broker: topic.broker, audit, tokens, log });
  const routes = administrationRoutes(administration);
  const operator = { name: 'ada', scopes: ['admin'] } as const;
  const shown = classicBroker(topic.broker, {
    authorise: async (password) => (password === 'open-sesame' ? operator : undefined),
    order: async (caller, path, json) => {
      assert.equal(caller, operator);
      const route = routes.find((one) => one.path === path && one.method === 'POST');
      assert.ok(route !== undefined, path);
      const body = Buffer.from(JSON.stringify(json ?? null));
      const { signal } = new AbortController();
      const request = { method: 'POST', params: {}, query: {}, body, caller, signal };
      return (await route.handle(request as unknown as RouteRequest)).json;
    },
  });
  const server = await serveClassic(shown, { clock: systemClock, port: 0, ...options });
  return {
    ...{ site, topic, audit, port: server.port },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      administration[Symbol.dispose]();
      await topic[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a WHOIS++ gateway of 1998 gets a reply that it can read', async () => {
  await using scene = await open();
  // The request of harvest_shim.pl for `harbour author=ada`, byte for byte.
  const said = await conversation(
    scene.port,
    '#USER  #attribute title #attribute author #attribute md5 #index maxfiles 21 #index matchword  #END "harbour" and "author=ada"\r\n',
  );
  const oid = scene.site.oid('a');
  assert.equal(
    said,
    '200 - Garner Broker topic\n' +
      `120 - http://example.org/a\n126 - ${oid}\n` +
      '127 - title 6\nPage a\n127 - author 9\nAda\nByron\n127 - md5 7\n0123abc\n' +
      '130 - object end\n200 - 1 objects\n',
  );
});

test('a client gets what it requests: lines, descriptions, and the number that it wants', async () => {
  await using scene = await open();
  const said = await conversation(scene.port, '#user #opaque #desc #index maxresult 1 #end harbour\n');
  const [, ...lines] = said.trimEnd().split('\n');
  assert.match(lines[0] ?? '', /^120 - http:\/\/example.org\/[ab]$/);
  assert.equal(lines[1], '124 - 1');
  assert.match(lines[2] ?? '', /^ .*harbour/);
  assert.match(lines[3] ?? '', /^125 - Page [ab]$/);
  assert.deepEqual(lines.slice(5), ['130 - object end', '200 - 1 objects']);
  assert.match(await conversation(scene.port, '#USER #END hills or moorings\n'), /200 - 2 objects\n$/);
  assert.match(await conversation(scene.port, '#USER #END #ALLB\n'), /200 - 3 objects\n$/);
  assert.match(await conversation(scene.port, '#USER #END submarine\n'), /^200 - .*\n200 - 0 objects\n$/);
});

test('bulk transfer is a SOIF stream of whole objects, all of them or those since a time', async () => {
  await using scene = await open();
  const objects = (text: string) => {
    const soif = text.replace(/^200 - .*\n/, '');
    return [...soif.matchAll(/^@FILE \{ http:\/\/example.org\/(\w+)$/gm)].map((match) => match[1]).sort();
  };
  const all = await conversation(scene.port, '#BULK #SINCE 0 #END #ALLB\r\n');
  assert.deepEqual(objects(all), ['a', 'b', 'c']);
  assert.match(all, /\nAuthor\{9\}:\tAda\nByron\n/);
  const stream = Buffer.from(all.replace(/^200 - .*\n/, ''));
  const parsed: string[] = [];
  for await (const item of parseSoif([stream])) parsed.push(item.object.url);
  assert.equal(parsed.length, 3);
  assert.deepEqual(objects(await conversation(scene.port, '#BULK #END harbour except lighthouse\n')), ['a']);
  const later = now() + 100;
  assert.deepEqual(objects(await conversation(scene.port, `#BULK #SINCE ${later} #END #ALLB\n`)), []);
  const since = await conversation(scene.port, `#BULK #SINCE 1 #END lighthouse\n`);
  assert.deepEqual(objects(since), ['b']);
});

test('administration needs the password and executes the supported commands', async () => {
  await using scene = await open();
  const admin = (command: string, password = 'open-sesame') =>
    conversation(scene.port, `#ADMIN #Password ${password} ${command}\n`);
  const reply = async (...given: Parameters<typeof admin>) =>
    (await admin(...given)).replace(/^200 - Garner Broker topic\n/, '');
  assert.equal(await reply('#collection', 'guess'), '111 - ERROR: wrong password\n');
  assert.equal(await reply('#collection'), '200 - collection started\n');
  assert.match(await reply('#do-stats'), /^200 - Objects: 3\n(200 - .+: .+\n)+$/);
  assert.equal(await reply('#incremental-index'), '200 - everything is indexed\n');
  assert.equal(await reply('#clean-broker'), '200 - 0 objects had expired\n');
  assert.equal(await reply('#rem-object-query harbour and lighthouse'), '200 - 1 objects removed\n');
  assert.deepEqual(await scene.topic.urls('harbour'), ['a']);
  assert.equal(await reply('#rem-object-path http://example.org/a'), '200 - 1 objects removed\n');
  await scene.topic.broker.indexer.reached(scene.topic.folder.store.lsn);
  assert.deepEqual(await scene.topic.urls('page'), ['c']);
  for (const unclear of ['hills and (page', 'hills or', 'submarine or view:x"'])
    assert.match(await reply(`#rem-object-query ${unclear}`), /^111 - ERROR: /);
  assert.equal(scene.topic.folder.store.count, 1, 'a mistyped query deletes nothing');
  assert.match(await reply('#full-index'), /^200 - the index is being rebuilt\n$/);
  const entries = await scene.audit.list(20);
  assert.deepEqual(
    [...new Set(entries.map(({ who, action }) => `${who} ${action}`))].sort(),
    ['clean', 'delete', 'reindex', 'source collect'].map((action) => `ada ${action}`),
  );
  assert.equal(await reply('#rem-object-query'), '111 - ERROR: #rem-object-query needs an argument\n');
  assert.equal(await reply('#shutdown'), '111 - ERROR: #shutdown is not done here\n');
  assert.equal(await reply('#dance'), '111 - ERROR: #dance is unknown\n');
  for (const wrong of ['#ADMIN', '#USER harbour', 'GET / HTTP/1.0', '#ADMIN #password x'])
    assert.match(await conversation(scene.port, `${wrong}\n`), /\n103 - ERROR: .+\n$/, wrong);
});

test('it answers any input and continues with the next client', async () => {
  await using scene = await open();
  const words = [
    '#USER',
    '#BULK',
    '#ADMIN',
    '#END',
    '#index',
    'error',
    '9',
    '#SINCE',
    '(',
    '"',
    ' not ',
    ' ',
    '\0',
  ];
  const said = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((all) => Buffer.from(all.join(' '))),
  );
  await fc.assert(
    fc.asyncProperty(said, async (bytes) => {
      const answer = await conversation(scene.port, Buffer.concat([bytes, Buffer.from('\n#USER #END x\n')]));
      assert.ok(answer.startsWith('200 - Garner Broker topic\n'));
    }),
    { numRuns: 60 },
  );
  const long = await conversation(scene.port, `#USER #END ${'x'.repeat(100_000)}\n`);
  assert.match(long, /\n103 - ERROR: a line is longer than 16384 bytes\n$/);
  assert.match(await conversation(scene.port, '#USER #END hills\n'), /200 - 1 objects\n$/);
});

test('a silent client is disconnected, and a client outside the access list is refused', async () => {
  const clock = new ManualClock();
  await using scene = await open({ clock, idleSeconds: 60 });
  const ended = new Promise<string | undefined>((resolve) => {
    const stop = classicSessionEnded.subscribe(({ reason }) => {
      stop();
      resolve(reason);
    });
  });
  const socket = connect({ host: '127.0.0.1', port: scene.port });
  await new Promise((resolve) => socket.once('data', resolve));
  socket.on('error', () => undefined);
  let isOver = false;
  socket.once('close', () => {
    isOver = true;
  });
  socket.resume();
  while (!isOver) {
    clock.advance(61_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.match((await ended) ?? '', /no data moved/);
  await using closed = await open({ allow: [] });
  assert.equal(await conversation(closed.port, '#USER #END x\n'), '103 - ERROR: access denied\n');
});
