import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEntry } from '../broker/index.ts';
import { HttpClient } from '../fetch/index.ts';
import { type RouteRequest, serveHttp } from '../http/index.ts';
import { isGarnerError, systemClock } from '../kernel/index.ts';
import { publicationOf, publish } from '../publication/index.ts';
import type { ListedServer } from '../registry/index.ts';
import {
  type Identity,
  identityFrom,
  newIdentitySecret,
  oidOf,
  type SummaryObject,
  summaryObject,
} from '../soif/index.ts';
import { temporaryFolder } from './commands/command.ts';
import { jsonHere, runHere, serveHere } from './commands/command-here.ts';

const identity = () => identityFrom(newIdentitySecret());
const now = () => Math.floor(systemClock.now() / 1000);

const description = (url: string, more: readonly (readonly [string, string])[] = []): SummaryObject =>
  summaryObject(
    url,
    [
      ['Title', 'Harbour'],
      ['Software-Version', 'test'],
      ['Refresh-Rate', 60],
      ['Time-to-Live', 300],
      ['Update-Time', now()],
      ...more,
    ],
    'BROKER',
  );

test('a real Registry audits what it refuses, keeps out what its operator blocked, and lists by pages', async () => {
  await using folder = await temporaryFolder();
  const token = 'an-admin-token-of-the-test';
  const data = ['--data', folder.path];
  await using registry = await serveHere<{ readonly registry: string }>([
    ...['registry', 'serve', '--port', '0', ...data, '--admin-tokens', token],
  ]);
  const at = registry.ready.registry;
  await using client = new HttpClient({
    ...{ userAgent: 'test', allowHosts: [at], delayMs: 0, retries: 0 },
  });
  const send = async (own: Identity, object: SummaryObject) =>
    publish(at, publicationOf(own, object, { updatedAt: now() }), client);
  const refused = (own: Identity, object: SummaryObject) =>
    assert.rejects(send(own, object), (error) => isGarnerError(error) && error.code === 'PUBLICATION_FAILED');
  const order = async <Value>(path: string, json?: unknown): Promise<Value> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
    return (await (await fetch(new URL(path, at), { headers, ...post })).json()) as Value;
  };

  const [own, other] = [identity(), identity()];
  const url = 'https://harbour.example/';
  await send(own, description(url));
  await refused({ ...other, serverId: own.serverId }, description(url));
  await refused(other, description(url, [['Description', 'x'.repeat(1_000_000)]]));

  // An operator removes it for good: neither that server nor that URL registers again.
  const oids = [oidOf(own.serverId, url)];
  const removed = await order<{ readonly deleted: number }>('control/deletions', {
    ...{ oids, forGood: true, dryRun: false, reason: 'spam' },
  });
  assert.equal(removed.deleted, 1);
  await refused(own, description('https://elsewhere.example/'));
  await refused(other, description(url));
  await send(other, description('https://other.example/'));
  const listed = await jsonHere<readonly ListedServer[]>(['registry', 'list', ...data]);
  assert.deepEqual(
    listed.map((server) => server.url),
    ['https://other.example/'],
  );

  // Nobody waits for the audit of a refusal.
  let entries: readonly AuditEntry[] = [];
  const refusals = () => entries.filter(({ outcome }) => outcome === 'refused').reverse();
  while (refusals().length < 4)
    ({ entries } = await order<{ readonly entries: typeof entries }>('control/audit'));
  assert.ok(refusals().every(({ action, who }) => action === 'POST /publish' && who === 'nobody'));
  const [anotherKey, large, ofServer, ofUrl] = refusals().map(({ note }) => note) as [string, ...string[]];
  assert.match(anotherKey, new RegExp(`^PUBLICATION_REFUSED ${own.serverId} ${url} .*another key is known`));
  assert.match(large ?? '', /^HTTP_BODY_TOO_LARGE from 127\.0\.0\.1: /);
  assert.match(ofServer ?? '', /^REGISTRY_BLOCKED .*elsewhere/);
  assert.match(ofUrl ?? '', /^REGISTRY_BLOCKED .*harbour/);
});

test('registry list follows the pages of a Registry to their end', async () => {
  const asked: string[] = [];
  const page = ({ query, url }: RouteRequest) => {
    asked.push(url);
    const from = Number(query.after ?? 0);
    const servers = [from, from + 1].map((n) => ({ type: 'BROKER', name: `${n}`, url: `https://${n}/` }));
    return { json: { total: 6, servers, next: from < 4 ? String(from + 2) : null } };
  };
  await using server = await serveHttp({
    routes: [
      {
        ...{ method: 'GET', path: '/servers', summary: 'Servers' },
        scope: 'public',
        hidden: true,
        handle: page,
      },
    ],
    ...{ port: 0, clock: systemClock, title: 'Registry', version: '0' },
  });
  const chosen = ['--type', 'broker', '--state', 'late', '--prefix', 'https://', '--query', 'tide'];
  const listed = await jsonHere<readonly ListedServer[]>([
    'registry',
    'list',
    '--registry',
    server.url,
    ...chosen,
  ]);
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['0', '1', '2', '3', '4', '5'],
  );
  const filter = 'type=broker&state=late&prefix=https%3A%2F%2F&q=tide';
  assert.deepEqual(
    asked,
    ['', '&after=2', '&after=4'].map((after) => `/servers?${filter}${after}`),
  );
});

test('a server with a renewal that cannot be kept does not start, and names the setting', async () => {
  await using folder = await temporaryFolder();
  const serve = ['registry', 'serve', '--port', '0', '--data', folder.path];
  const { code, stderr } = await runHere([...serve, '--registry', 'http://127.0.0.1:1', '--renewal', '0.5s']);
  assert.notEqual(code, 0);
  assert.match(stderr, /server\.renewal is not a time in whole seconds/);
});
