import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { until } from '../kill/server-process.ts';
import { BadOrigin } from './bad-origin.ts';
import { ask } from './kit/raw-client.ts';

const silenceMs = 2000;
const collapseMs = 1000;

interface Scene extends AsyncDisposable {
  readonly origin: BadOrigin;
  readonly cache: Server<{ readonly cache: string; readonly admin: string }>;
  readonly port: number;
}

async function openScene(): Promise<Scene> {
  const folder = await temporaryFolder();
  const origin = await BadOrigin.open();
  const args = ['cache', 'serve', '--origin', origin.url, '--port', '0', '--admin-port', '0'];
  const waits = ['--silence', `${silenceMs}ms`, '--collapse-wait', `${collapseMs}ms`, '--largest', '1MB'];
  const cache = await startServer<{ readonly cache: string; readonly admin: string }>(
    [...args, ...waits, '--data', folder.path],
    { cwd: folder.path },
  );
  return {
    ...{ origin, cache, port: Number(new URL(cache.ready.cache).port) },
    [Symbol.asyncDispose]: async () => {
      await cache[Symbol.asyncDispose]();
      await origin[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const onlyIfCached = { fields: [['Cache-Control', 'only-if-cached']] } as const;

const timed = async <Value>(work: Promise<Value>): Promise<readonly [Value, number]> => {
  const started = performance.now();
  return [await work, performance.now() - started];
};

/** Faults before or in the head: the client gets an error of the cache and nothing from the origin. */
const inHead: Readonly<Record<string, readonly [status: number, code: string]>> = {
  'says-nothing': [504, 'CACHE_SILENT'],
  'stalls-in-its-head': [504, 'CACHE_SILENT'],
  'drips-its-head': [504, 'CACHE_SILENT'],
  'endless-head': [502, 'CACHE_BAD_RESPONSE'],
  'endless-field': [502, 'CACHE_BAD_RESPONSE'],
  'endless-interim': [502, 'CACHE_BAD_RESPONSE'],
  'closes-at-once': [502, 'CACHE_BROKEN_OFF'],
  'resets-at-once': [502, 'CACHE_BROKEN_OFF'],
  'resets-in-its-head': [502, 'CACHE_BROKEN_OFF'],
  'speaks-no-http': [502, 'CACHE_BAD_RESPONSE'],
  'sends-noise': [502, 'CACHE_BAD_RESPONSE'],
  'two-lengths': [502, 'CACHE_BAD_RESPONSE'],
  'length-and-chunks': [502, 'CACHE_BAD_RESPONSE'],
  'negative-length': [502, 'CACHE_BAD_RESPONSE'],
  'control-characters': [502, 'CACHE_BAD_RESPONSE'],
  'switches-unasked': [502, 'CACHE_BAD_RESPONSE'],
};

/**
 * Faults in the content: the client gets an error if nothing was sent yet, else the part before the fault and no
 * valid end.
 */
const inContent = [
  'stalls-in-its-content',
  'stalls-in-a-chunk',
  'ends-too-soon',
  'ends-without-last-chunk',
  'odd-chunk',
  'resets-in-its-content',
];

test('an origin that stalls, lies, resets or sends garbage: a typed error, nothing stored, and others are served', async () => {
  await using scene = await openScene();
  const { origin, port } = scene;
  const names = [...Object.keys(inHead), ...inContent];
  let isOver = false;
  const bad = Promise.all(names.map((name) => timed(ask(port, `/${name}`)))).finally(() => {
    isOver = true;
  });
  let good = 0;
  while (!isOver) {
    const received = await ask(port, '/good');
    assert.deepEqual([received.status, received.body], [200, 'good']);
    good++;
  }
  assert.ok(good > 3, 'no other client was answered meanwhile');
  for (const [at, [received, ms]] of (await bad).entries()) {
    const name = names[at] as string;
    // Silence is allowed once before the head and once in the content; the rest is time of the machine.
    assert.ok(ms < 3 * silenceMs + 5000, `${name}: took ${Math.round(ms)} ms`);
    const expected = inHead[name];
    if (expected !== undefined) {
      const code = /\((CACHE_[A-Z_]+)\)/.exec(received.body)?.[1];
      assert.deepEqual([received.status, code], expected, `${name}: ${received.body}`);
      assert.match(received.line('proxy-status') ?? '', /error=/, name);
      assert.equal(received.line('cache-control'), 'no-store', name);
    } else {
      const isTyped = /\(CACHE_(?:BROKEN_OFF|BAD_RESPONSE)\)/.test(received.body);
      if (received.status !== 502 || !isTyped) {
        assert.deepEqual([received.status, received.isCut], [200, true], name);
        assert.match(received.body, /^c{0,100}$/, name);
      }
    }
  }
  for (const name of names) {
    assert.equal((await ask(port, `/${name}`, onlyIfCached)).status, 504, `${name} was stored`);
    assert.deepEqual(origin.answering(`/${name}`), [], `the connection of ${name} is still open`);
  }
  const { store } = (await (await fetch(new URL('status', scene.cache.ready.admin))).json()) as {
    store: { entries: number; contentBytes: number };
  };
  assert.deepEqual([store.entries, store.contentBytes], [0, 0]);
});

test('bytes after the declared length of an answer are not part of any answer', async () => {
  await using scene = await openScene();
  const whole = 'c'.repeat(100);
  const first = await ask(scene.port, '/says-more-than-its-length');
  assert.deepEqual([first.status, first.body, first.isCut], [200, whole, false]);
  assert.equal((await ask(scene.port, '/good')).body, 'good');
  assert.equal((await ask(scene.port, '/says-more-than-its-length')).body, whole);
});

test('a client waits no longer than configured for another client’s fetch that does not end', async () => {
  await using scene = await openScene();
  const { origin, port } = scene;
  const crowd = (path: string) => Promise.all(Array.from({ length: 30 }, () => timed(ask(port, path))));
  const [silent, stalled, reset] = await Promise.all([
    crowd('/says-nothing'),
    crowd('/stalls-in-its-content'),
    crowd('/resets-at-once'),
  ]);
  for (const [{ status }, ms] of silent) {
    assert.equal(status, 504);
    assert.ok(ms < collapseMs + silenceMs + 5000, `${Math.round(ms)} ms`);
  }
  for (const [{ status, isCut }, ms] of stalled) {
    assert.deepEqual([status, isCut], [200, true]);
    assert.ok(ms < collapseMs + silenceMs + 5000, `${Math.round(ms)} ms`);
  }
  for (const [{ status }] of reset) assert.equal(status, 502);
  // All clients that came while it was being read got the same one.
  assert.ok(origin.asked('/stalls-in-its-content') < 5, String(origin.asked('/stalls-in-its-content')));
});

test('an endless content is held back by a slow reader, not stored, and aborted with its reader', async () => {
  await using scene = await openScene();
  const { origin, port } = scene;
  const path = '/endless-content';
  const reader = connect(port, '127.0.0.1');
  reader.on('error', () => {});
  reader.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  await once(reader, 'data');
  reader.pause();
  // It stops when all buffers are full: a hundred other requests were answered and no more bytes have left.
  let before = -1;
  await until(
    'the origin to be held back',
    async () => {
      for (let count = 0; count < 100; count++) assert.equal((await ask(port, '/good')).body, 'good');
      const [sent = 0] = origin.answering(path);
      const hasStopped = sent === before;
      before = sent;
      return hasStopped;
    },
    (hasStopped) => hasStopped,
  );
  assert.ok(before < 64 * 2 ** 20, `${before} bytes were read for a client that reads none`);
  reader.destroy();
  await until(
    'the origin’s connection to be closed',
    async () => origin.answering(path).length,
    (count) => count === 0,
  );
  assert.equal((await ask(port, path, onlyIfCached)).status, 504);
});
