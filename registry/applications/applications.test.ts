import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryKeyring } from '../../exchange/index.ts';
import { type Fetch, HttpClient } from '../../fetch/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { Directory } from '../directory.ts';
import { foreignServerSilent } from '../events.ts';
import { Registrar } from '../registrar.ts';
import { topologyOf } from '../topology/index.ts';
import { ApplicationBook } from './application-book.ts';
import { ApplicationDesk } from './application-desk.ts';
import { applicationControlRoutes } from './application-routes.ts';
import { ForeignServers } from './foreign-servers.ts';

const day = 86_400_000;
const fields = { type: 'broker', url: 'http://harvest.example', name: 'Harbour', topics: 'tide, sea' };

/** A Registry's store with its desk for applications, and a clock that only the test moves. */
async function openDesk() {
  const folder = await mkdtemp(join(tmpdir(), 'garner-applications-'));
  const clock = new ManualClock();
  const identity = identityFrom(newIdentitySecret());
  const database = await openDatabase(join(folder, 'store'));
  const held = await openDatabase(join(folder, 'held'));
  const store = await ObjectStore.open(database, { clock, random: seededRandom(1) });
  const directory = await Directory.open(store, clock);
  const keyring = new MemoryKeyring();
  const own = await openDatabase(join(folder, 'registrar'));
  const desk = await Registrar.open({
    ...{ store, database: own, collected: keyring, clock, directory, maxServers: 1000 },
    ...{ own: identity.serverId, isBlocked: async () => false },
  });
  const openBook = () =>
    ApplicationBook.open({ database: held, clock, random: seededRandom(2), maxOfClient: 3 });
  const parts = { directory, desk, identity, clock };
  return {
    ...{ clock, store, directory, parts, openBook },
    applications: new ApplicationDesk({ book: await openBook(), ...parts }),
    [Symbol.asyncDispose]: async () => {
      await directory[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await held[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** A clock whose sleeps are noticed: a look for foreign servers ends with the next sleep. */
function watchedClock(clock: ManualClock) {
  let slept = 0;
  let asleep = () => {};
  let seen = 0;
  return {
    clock: {
      now: () => clock.now(),
      sleep: (ms: number, signal?: AbortSignal) => {
        slept++;
        asleep();
        return clock.sleep(ms, signal);
      },
    },
    /** Do something, and resolve when it sleeps the next time. */
    next: async (act: () => unknown) => {
      await act();
      while (slept <= seen)
        await new Promise<void>((resolve) => {
          asleep = resolve;
        });
      seen++;
    },
  };
}

test('an application is held, never listed, until an administrator approves it, and is then unsigned', async () => {
  await using open = await openDesk();
  const { applications, directory } = open;
  const { id } = await applications.hold(fields, '192.0.2.1');
  assert.deepEqual(directory.list(), []);
  await assert.rejects(applications.approve('0'.repeat(12)), { code: 'REGISTRY_NO_APPLICATION' });
  await applications.approve(id);
  assert.deepEqual(
    directory.list().map(({ url, name, unsigned, serverId }) => [url, name, unsigned, serverId]),
    [['http://harvest.example/', 'Harbour', true, open.parts.identity.serverId]],
  );
  assert.deepEqual(applications.list(), []);
  assert.notEqual(directory.find('http://harvest.example'), undefined, 'an address without the last slash');
  await assert.rejects(applications.hold(fields, '192.0.2.1'), { code: 'REGISTRY_LISTED' });
  const other = await applications.hold({ ...fields, url: 'http://other.example/' }, '192.0.2.1');
  await applications.refuse(other.id);
  assert.equal(directory.list().length, 1);
  assert.deepEqual(applications.list(), []);
});

test('held applications are bounded in all and for each network, end after 30 days and outlive a restart', async () => {
  await using open = await openDesk();
  const { applications, clock } = open;
  const hold = (url: string, client: string) =>
    applications.hold({ ...fields, url: `http://${url}.example/` }, client);
  for (const name of ['a', 'b', 'c']) await hold(name, 'one');
  await assert.rejects(hold('d', 'one'), /3 applications from your network/);
  const changed = await applications.hold({ ...fields, url: 'http://a.example/', name: 'Changed' }, 'one');
  assert.equal(applications.list().length, 3, 'the same address replaces the earlier application');
  clock.advance(20 * day);
  await Promise.all(Array.from({ length: 197 }, (_, at) => hold(`n${at}`, `client ${at}`)));
  await assert.rejects(hold('e', 'another'), /200 applications from everybody/);
  const again = await open.openBook();
  assert.deepEqual(again.list(), applications.list());
  assert.equal(again.list().find(({ id }) => id === changed.id)?.name, 'Changed');
  clock.advance(11 * day);
  assert.equal(applications.list().length, 197);
  await hold('d', 'one');
});

test('an IPv6 /48 has four times the applications of one network, and who is refused learns when to return', async () => {
  await using open = await openDesk();
  const hold = (at: number, client: string) =>
    open.applications.hold({ ...fields, url: `http://n${at}.example/` }, client);
  const network = (at: number) => `2001:db8:1:${at.toString(16)}::/64`;
  for (let at = 0; at < 12; at++) await hold(at, network(at));
  const refused = (data: object) => ({ code: 'REGISTRY_HOLDS_ENOUGH', data });
  const day = 86_400;
  await assert.rejects(
    hold(12, network(12)),
    refused({ max: 12, from: 'your /48 network', retrySeconds: day }),
  );
  await hold(12, '2001:db8:2:0::/64');
  await hold(13, '192.0.2.1');
  open.clock.advance((30 * day - 60) * 1000);
  await assert.rejects(
    hold(14, network(12)),
    refused({ max: 12, from: 'your /48 network', retrySeconds: 60 }),
  );
  open.clock.advance(61_000);
  await hold(14, network(12));
});

test('an application that is no description is refused by name', async () => {
  await using open = await openDesk();
  for (const [wrong, attribute] of [
    [{ type: 'file' }, /the type/],
    [{ url: 'javascript:alert(1)' }, /the URL/],
    [{ url: 'http://user:secret@a.example/' }, /the URL/],
    [{ name: ' ' }, /Title/],
    [{ name: 7 }, /the name/],
    [{ description: 'x'.repeat(501) }, /the description/],
  ] as const)
    await assert.rejects(open.applications.hold({ ...fields, ...wrong }, ''), {
      ...{ code: 'REGISTRY_ATTRIBUTE', message: attribute },
    });
  assert.deepEqual(open.applications.list(), []);
});

test('an application with a URL that cannot be read is refused with 422 and that URL', async () => {
  await using open = await openDesk();
  for (const type of ['broker', 'gatherer'])
    for (const url of [
      '',
      'harvest.example.org',
      'http://',
      'http://:80/',
      'http://a b/',
      'mailto:a@b.example',
    ])
      await assert.rejects(open.applications.hold({ ...fields, type, url }, ''), {
        ...{ code: 'REGISTRY_ATTRIBUTE', status: 422 },
        message: `the description of the server cannot be listed: the URL ${JSON.stringify(url)} is not an http or https address`,
      });
});

test('the lease of an approved server is renewed while it answers, and ends when it does not', async () => {
  await using open = await openDesk();
  const { clock, directory, store } = open;
  let asked = 0;
  const site = createServer((_request, response) => {
    asked++;
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  await using client = new HttpClient({ userAgent: 'test', allowHosts: [url], delayMs: 0, retries: 0 });
  const looks = watchedClock(clock);
  await using _foreign = new ForeignServers({
    ...{ store, ...open.parts, fetch: client.fetch, clock: looks.clock },
  });
  await open.applications.hold({ ...fields, url }, '');
  const [held] = open.applications.list();
  await looks.next(() => {});
  assert.equal(asked, 0, 'nothing of an application is fetched');
  await looks.next(() => open.applications.approve(held?.id ?? ''));
  let silences = 0;
  const stop = foreignServerSilent.subscribe(() => silences++);
  const advance = async (hours: number) => {
    for (let hour = 0; hour < hours; hour++) await looks.next(() => clock.advance(3_600_000));
    await directory.upToDate();
  };
  assert.equal(asked, 1, 'it is asked as soon as it is listed');
  await advance(5);
  assert.equal(asked, 1, 'the renewal is not due yet');
  await advance(2);
  assert.equal(asked, 2);
  assert.equal(directory.list()[0]?.updatedAt, clock.now() / 1000);
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
  await advance(7);
  stop();
  assert.deepEqual([asked, silences], [2, 2], 'it is asked again each hour');
  assert.equal(directory.list().length, 1);
  clock.advance(3 * day);
  assert.deepEqual(directory.list(), []);
});

test('an approved server that has never answered is late and not reached yet, and live when it has answered', async () => {
  await using open = await openDesk();
  const { directory, clock } = open;
  let answers = false;
  const visit = async () => {
    if (!answers) throw new Error('nobody is there');
    return { [Symbol.asyncDispose]: async () => {} };
  };
  const looks = watchedClock(clock);
  const { store } = open;
  await using _foreign = new ForeignServers({
    ...{ store, ...open.parts, clock: looks.clock, fetch: visit as unknown as Fetch },
  });
  await looks.next(() => {});
  await looks.next(() => open.applications.enlist(fields));
  const shown = () => {
    const [server] = directory.page({}, { limit: 1 }).servers;
    const [node] = topologyOf(directory.known(), directory.now).nodes;
    return [server?.state, server?.unreached, node?.state, node?.unreached];
  };
  assert.deepEqual(shown(), ['late', true, 'late', true]);
  answers = true;
  await looks.next(() => clock.advance(3_600_000));
  await directory.upToDate();
  assert.deepEqual(shown(), ['live', undefined, 'live', undefined]);
  clock.advance(10 * 3_600_000);
  assert.deepEqual(shown(), ['late', undefined, 'late', undefined]);
  const again = await Directory.open(store, clock);
  assert.equal(again.list()[0]?.unreached, undefined, 'the answer outlives a restart');
  await again[Symbol.asyncDispose]();
});

test('every decision about an application needs scope admin', async () => {
  await using open = await openDesk();
  const routes = applicationControlRoutes(open.applications, (_, __, work) => work());
  assert.deepEqual([...new Set(routes.map(({ scope }) => scope))], ['admin']);
});
