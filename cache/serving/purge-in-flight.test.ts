import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { openBench, textOf } from '../testing/object-cache.ts';
import { inFolder } from '../testing/storage.ts';

const targets = (url: string) => [
  { url },
  { prefix: url.slice(0, -2) },
  { tag: 'tagged' },
  { all: true as const },
];

async function reached<Item>(list: readonly Item[], count: number): Promise<Item> {
  while (list.length < count) await new Promise(setImmediate);
  return list[count - 1] as Item;
}

const give = (response: ServerResponse, text: string) =>
  response
    .writeHead(200, { 'Cache-Control': 'max-age=60', 'Surrogate-Key': 'tagged', ETag: `"${text}"` })
    .end(text);

async function purgedUnderWay(folder: string | undefined): Promise<void> {
  for (const soft of [false, true]) {
    for (const which of targets('').keys()) {
      const waiting: ServerResponse[] = [];
      await using bench = await openBench((_, response) => waiting.push(response), {
        ...(folder !== undefined && { folder }),
      });
      const path = `/under-way-${soft}-${which}`;
      const before = bench.ask(path).then(textOf);
      const first = await reached(waiting, 1);
      const target = targets(bench.url(path))[which] as ReturnType<typeof targets>[number];
      await bench.opened.cache.purge(target, { soft });
      const after = bench.ask(path).then(textOf);
      const second = await reached(waiting, 2);
      give(second, 'new');
      assert.equal(await after, 'new');
      give(first, 'old');
      assert.equal(await before, 'old');
      const later = bench.ask(path).then(textOf);
      // Either the new response stayed, or it is requested again; the one in flight is not used.
      let isAnswered = false;
      void later.then(() => {
        isAnswered = true;
      });
      while (!isAnswered && waiting.length < 3) await new Promise(setImmediate);
      if (!isAnswered) give(waiting[2] as ServerResponse, 'new');
      assert.equal(await later, 'new', `${JSON.stringify(target)} soft=${soft}`);
    }
  }
}

test('a response requested before a purge answers no request after it, in memory', () =>
  purgedUnderWay(undefined));

test('a response requested before a purge answers no request after it, on disk', () =>
  inFolder((folder) => purgedUnderWay(folder)));

async function changedUnderWay(folder: string | undefined): Promise<void> {
  const waiting: ServerResponse[] = [];
  await using bench = await openBench(
    (request, response) => {
      if (request.method === 'PUT') response.writeHead(200).end('done');
      else waiting.push(response);
    },
    { ...(folder !== undefined && { folder }) },
  );
  const first = bench.ask('/changed').then(textOf);
  give(await reached(waiting, 1), 'old');
  await first;
  const validated = bench.ask('/changed', { fields: ['Cache-Control', 'no-cache'] }).then(textOf);
  const validation = await reached(waiting, 2);
  await bench.ask('/changed', { method: 'PUT' });
  validation.writeHead(304, { 'Cache-Control': 'max-age=60', ETag: '"old"' }).end();
  give(await reached(waiting, 3), 'new');
  assert.equal(await validated, 'new');
  assert.equal(await textOf(await bench.ask('/changed')), 'new');
}

test('RFC 9111 4.4: a 304 that was asked for before a change makes nothing fresh, in memory', () =>
  changedUnderWay(undefined));

test('RFC 9111 4.4: a 304 that was asked for before a change makes nothing fresh, on disk', () =>
  inFolder((folder) => changedUnderWay(folder)));
