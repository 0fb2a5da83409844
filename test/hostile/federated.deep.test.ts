import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { FederatedAnswer, SearchAnswer } from '../../broker/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { publicationOf, publish } from '../../publication/index.ts';
import type { ListedServer } from '../../registry/index.ts';
import { Attributes, identityFrom, newIdentitySecret, summaryObject } from '../../soif/index.ts';
import { startServer, temporaryFolder, type UpReady } from '../commands/command.ts';

async function serve(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const json = { 'content-type': 'application/json' };

const sent =
  (
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = json,
    status = 200,
  ): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Byte by byte, without end. */
const drip: RequestListener = (_, response) => {
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(timer));
};

/** As fast as it is read, without end. */
const flood: RequestListener = (_, response) => {
  response.writeHead(200, json);
  const fill = () => {
    while (!response.destroyed && response.write('['.repeat(65_536)));
  };
  response.on('drain', fill);
  fill();
};

const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
const deep = `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

/** The answers of an honest Broker, with changed answers to searches. */
const lying =
  (broker: string, change: (answer: SearchAnswer) => unknown): RequestListener =>
  (request, response) => {
    const path = request.url ?? '/';
    void fetch(new URL(path, broker))
      .then((honest) => honest.json())
      .then((answer) =>
        sent(JSON.stringify(path.startsWith('/search') ? change(answer as SearchAnswer) : answer))(
          request,
          response,
        ),
      );
  };

/** The max memory of a process up to now, in MB. */
async function peakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const deadlineMs = 2000;

test('any registered Broker costs a federated search at most its deadline and 16 MB, and is named', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'zoo'));
  for (const name of ['quokka', 'okapi', 'numbat'])
    await writeFile(
      join(folder.path, 'zoo', `${name}.html`),
      `<title>${name}</title><p>animals like ${name}`,
    );
  await using up = await startServer<UpReady>(['up', 'zoo', '--port', '0', '--site-port', '0'], here);
  const honest = up.ready.search;
  let reached = 0;
  const inner = await serve((_, response) => {
    reached++;
    response.end();
  });
  const behaviours: Readonly<Record<string, readonly [RequestListener, RegExp]>> = {
    drip: [drip, /longer than 0.8 seconds/],
    flood: [flood, /larger than 262144 bytes/],
    bomb: [sent(bomb, { ...json, 'content-encoding': 'gzip' }), /compressed/],
    large: [sent(`{"text":"${'x'.repeat(8 * 1024 * 1024)}"}`), /larger than 262144 bytes/],
    deep: [sent(deep), /no statistics/],
    garbled: [sent('{"text":'), /not JSON/],
    page: [sent('<html>', { 'content-type': 'text/html' }), /not of a JSON type/],
    moved: [sent('', { ...json, location: inner.url }, 302), /redirects/],
    failing: [sent('{}', json, 500), /status 500/],
    liar: [
      lying(honest, (answer) => ({ ...answer, hits: answer.hits.map((hit) => ({ ...hit, score: 1e9 })) })),
      /score of 1000000000/,
    ],
    wrong: [lying(honest, (answer) => ({ ...answer, total: 'many' })), /not an answer to a search/],
  };
  const hostile = await Promise.all(
    Object.entries(behaviours).map(async ([name, [behave]]) => ({ name, ...(await serve(behave)) })),
  );
  try {
    const allowed = [honest, ...hostile.map(({ url }) => url)];
    await using registry = await startServer<{ readonly registry: string }>(
      ['registry', 'serve', '--port', '0', ...allowed.flatMap((url) => ['--allow-hosts', url])],
      here,
    );
    const at = registry.ready.registry;
    await using client = new HttpClient({ userAgent: 'test', allowHosts: [at], delayMs: 0 });
    const register = async (name: string, url: string) => {
      const updatedAt = Math.floor(Date.now() / 1000);
      const attributes = [
        ['Title', name],
        ['Software-Version', 'test/1'],
        ['Objects', 3],
        [Attributes.refreshRate, 60],
        [Attributes.timeToLive, 300],
        [Attributes.updateTime, updatedAt],
      ] as const;
      const object = summaryObject(url, attributes, 'BROKER');
      await publish(at, publicationOf(identityFrom(newIdentitySecret()), object, { updatedAt }), client);
    };
    const listed = async (count: number) => {
      for (;;) {
        const answer = await (await fetch(`${at}servers`)).json();
        if ((answer as { readonly servers: readonly ListedServer[] }).servers.length === count) return;
      }
    };
    const search = async () => {
      const answer = await fetch(`${at}federated?q=animals&deadline=${deadlineMs / 1000}&brokers=64`);
      return (await answer.json()) as FederatedAnswer;
    };
    await register('honest', honest);
    await listed(1);
    let alone = await search();
    for (let turn = 0; turn < 30; turn++) alone = await search();
    assert.equal(alone.hits.length, 3);
    const before = await peakMb(registry.pid);
    for (const { name, url } of hostile) await register(name, url);
    for (const url of [inner.url, 'http://169.254.169.254/']) await register('private', url);
    await listed(hostile.length + 3);
    for (let turn = 0; turn < 3; turn++) {
      const answer = await search();
      assert.deepEqual(
        answer.hits.map(({ oid, broker }) => [oid, broker]),
        alone.hits.map(({ oid }) => [oid, honest]),
      );
      assert.deepEqual(answer.coverage, { answered: 1, asked: hostile.length + 1 });
      const reasons = new Map(answer.brokers.map(({ title, error }) => [title, error]));
      for (const [name, [, why]] of Object.entries(behaviours)) assert.match(reasons.get(name) ?? '', why);
      assert.deepEqual(
        answer.omitted.map(({ name }) => name).sort(),
        ['http://169.254.169.254/', inner.url].sort(),
      );
      for (const { why } of answer.omitted) assert.match(why, /private address/);
      // The clock is that of a busy machine.
      assert.ok(answer.tookMs < deadlineMs + 500, `${answer.tookMs} ms`);
    }
    const more = (await peakMb(registry.pid)) - before;
    assert.ok(more < 16, `${more.toFixed(1)} MB more`);
    assert.equal(reached, 0, 'a private address was reached');
  } finally {
    for (const { close } of [...hostile, inner]) close();
  }
});
