import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { type SearchAnswer, search, startServer, temporaryFolder, untilFound } from '../commands/command.ts';
import { register } from './registered.ts';

const token = 'an-admin-token-for-the-test';

interface Change {
  readonly kind: string;
  readonly title: string;
}

/** Takes what a webhook sends. */
async function openReceiver() {
  const changes: Change[] = [];
  let came = () => {};
  const server = createServer((request, response) => {
    const parts: Uint8Array[] = [];
    request.on('data', (part: Uint8Array) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      const sent = JSON.parse(Buffer.concat(parts).toString()) as { readonly changes: readonly Change[] };
      changes.push(...sent.changes);
      came();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ host, url: `http://${host}/` },
    /** Every change, once there are so many. */
    until: async (count: number): Promise<readonly Change[]> => {
      while (changes.length < count)
        await new Promise<void>((resolve) => {
          came = resolve;
        });
      return changes;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('the directory answers queries by type, topic and size, and a webhook of a view fires once for a new Gatherer', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder();
  await using receiver = await openReceiver();
  await using registry = await startServer<{ readonly registry: string }>(
    ['registry', 'serve', '--port', '0', '--webhook-hosts', receiver.host],
    { cwd: folder.path, env: { GARNER_HTTP_ADMIN_TOKENS: token } },
  );
  const at = registry.ready.registry;
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [at], delayMs: 0 });
  const topic = (words: string) => [['Topic', words]] as const;
  const broker = (name: string, objects: number, words: string) => ({
    ...{ type: 'BROKER', name, url: `https://${name}.example/`, objects, attributes: topic(words) },
  });
  await register(at, client, broker('large', 48_210, 'tide, mooring'));
  await register(at, client, broker('small', 12, 'tide, fees'));
  await register(at, client, broker('stars', 90_000, 'comet'));
  await register(at, client, { ...broker('gathered', 48_210, 'tide'), type: 'GATHERER' });
  const titles = ({ hits }: SearchAnswer) => hits.map(({ title }) => title).sort();
  await untilFound(at, 'Type: broker', ({ total }) => total === 3);
  // The case of a query does not matter.
  for (const query of [
    'Type: broker AND Topic: tide AND Objects: >1000',
    'type: BROKER AND topic: TIDE AND objects: >1000',
  ]) {
    const found = await search(at, query);
    assert.deepEqual(titles(found), ['large'], query);
  }
  const authorised = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, json: unknown) => {
    const response = await fetch(`${at}${path}`, { method, headers: authorised, body: JSON.stringify(json) });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
  };
  await call('PUT', 'views/gatherers', { query: 'Type: gatherer' });
  await call('POST', 'views/gatherers/webhooks', { url: receiver.url });
  await register(at, client, broker('ships', 7, 'tide'));
  await register(at, client, { ...broker('second', 7, 'tide'), type: 'GATHERER' });
  await register(at, client, { ...broker('third', 7, 'tide'), type: 'GATHERER' });
  const changes = await receiver.until(2);
  assert.deepEqual(
    changes.map(({ kind, title }) => [kind, title]),
    [
      ['insert', 'second'],
      ['insert', 'third'],
    ],
  );
});
