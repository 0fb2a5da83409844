import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MemoryKeyring } from '../../exchange/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { serveHttp, TokenTable } from '../../http/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  type Publication,
  publicationOf,
  publicationRoute,
  publish,
  withdrawalOf,
} from '../../publication/index.ts';
import { identityFrom, newIdentitySecret, oidOf, summaryObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase, within } from '../../store/index.ts';
import { BlockList, deleteObjects } from '../collecting/index.ts';
import { PublicationLedger } from './publication-ledger.ts';
import { readPublishers } from './publishers.ts';
import { PublishersDesk } from './publishers-desk.ts';

const [office, stranger, former] = [1, 2, 3].map(() => identityFrom(newIdentitySecret())) as [
  ReturnType<typeof identityFrom>,
  ReturnType<typeof identityFrom>,
  ReturnType<typeof identityFrom>,
];
const nameOf = ({ serverId, publicKey }: typeof office) =>
  `${serverId}.${Buffer.from(publicKey).toString('base64url')}`;

/** A Broker's `POST /publish` on a real port, with a clock that only the test moves. */
async function openDesk({ maxDocuments = 3 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'garner-publishing-'));
  const clock = new ManualClock();
  const database = await openDatabase(join(folder, 'store'));
  const rows = await openDatabase(join(folder, 'rows'));
  const store = await ObjectStore.open(database, { clock, random: seededRandom(1) });
  const blocks = await BlockList.open(within(rows, 'blocks'), store, async () => {});
  const identity = identityFrom(newIdentitySecret());
  const table = new TokenTable({ read: ['a-token-to-read'], admin: ['a-token-to-write'] }, false, clock);
  const refusals: string[] = [];
  const ledger = () => PublicationLedger.open({ database: within(rows, 'ledger'), store, clock });
  const parts = {
    ...{ store, clock, blocks, identity, maxDocuments, keyring: new MemoryKeyring() },
    writer: ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) =>
      table.callerFor('write', headers.authorization),
    refused: ({ who, note }: { who: string | undefined; note: string }) => {
      refusals.push(`${who}: ${note}`);
    },
    publishers: readPublishers([
      'https://harbour.example/ http.admin-tokens 1',
      `https://office.example/docs ${nameOf(office)}`,
      `https://former.example/ ${nameOf(former)}`,
      `blocked ${nameOf(former)}`,
    ]),
  };
  let desk = new PublishersDesk({ ...parts, ledger: await ledger() });
  const route = publicationRoute({
    publish: (publication) => desk.publish(publication),
    publishUnsigned: (objects, request) => desk.publishUnsigned(objects, request),
  });
  const http = await serveHttp({ routes: [route], port: 0, clock, title: 'Broker', version: '0' });
  const client = new HttpClient({ userAgent: 'test', allowHosts: [http.url], delayMs: 0, retries: 0 });
  return {
    ...{ clock, store, identity, blocks, refusals },
    send: (publication: Publication) => publish(http.url, publication, client),
    /** POST a body with these headers; resolves to the status and the JSON of the answer. */
    post: async (body: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${http.url}publish`, {
        ...{ method: 'POST', body },
        headers: {
          'content-type': 'application/x-soif',
          authorization: 'Bearer a-token-to-write',
          ...headers,
        },
      });
      type Row = { readonly url: string; readonly outcome: string };
      type Answer = {
        published?: readonly Row[];
        error?: { code: string; message: string };
        outcome?: string;
      };
      return { status: response.status, ...((await response.json()) as Answer) };
    },
    reopened: async () => {
      desk = new PublishersDesk({ ...parts, ledger: await ledger() });
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rows[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

const soif = (url: string, title = 'Tides', more = '') =>
  `@FILE { ${url}\nTitle{${title.length}}:\t${title}\n${more}}\n`;
const page = (name: string) => `https://harbour.example/${name}`;
const own = (title = 'Office', url = 'https://office.example/docs/a') =>
  summaryObject(url, [['Title', title]]);
const refused = (message: RegExp) => ({ code: 'PUBLICATION_FAILED', message });

test('a token publishes, refreshes and withdraws SOIF below its prefix, as SOIF and as JSON', async () => {
  await using broker = await openDesk();
  const { store, identity, clock, post } = broker;
  const found = (name: string) => store.describe(oidOf(identity.serverId, page(name)));
  const two = await post(soif(page('a')) + soif(page('b'), 'Piers', 'Time-to-Live{4}:\t7200\n'));
  assert.deepEqual(
    two.published?.map(({ url, outcome }) => [url, outcome]),
    [
      [page('a'), 'stored'],
      [page('b'), 'stored'],
    ],
  );
  const start = Math.floor(clock.now() / 1000);
  assert.equal((await found('b'))?.expiresAtMs, (start + 7200) * 1000);
  clock.advance(60_000);
  // The sections of a Gatherer's stream say what is done with each.
  const stream = `@DELETE {\n@FILE { ${page('a')}\n}\n}\n@REFRESH {\n@FILE { ${page('b')}\n}\n}\n@UPDATE {\n}\n`;
  assert.deepEqual(
    (await post(stream)).published?.map(({ outcome }) => outcome),
    ['withdrawn', 'refreshed'],
  );
  assert.equal(await found('a'), undefined);
  assert.equal((await found('b'))?.expiresAtMs, (start + 60 + 7200) * 1000);
  const json = { 'content-type': 'application/json' };
  const again = await post(JSON.stringify({ soif: soif(page('a')) }), json);
  assert.equal(again.published?.[0]?.outcome, 'stored');
  const gone = await post(JSON.stringify({ url: page('a'), withdrawn: true }), json);
  assert.equal(gone.published?.[0]?.outcome, 'withdrawn');
  clock.advance(7300_000);
  assert.equal(await store.expire(), 1);
});

test('what is outside the prefix, without a token, too long-lived, empty or too much is refused by name', async () => {
  await using broker = await openDesk();
  const { post, refusals, store } = broker;
  const refusal = async (body: string, headers = {}) => {
    const { status, error } = await post(body, headers);
    return `${status} ${error?.code} ${error?.message}`;
  };
  const inside = soif(page('a'));
  assert.match(
    await refusal(inside + soif('https://office.example/docs/b')),
    /^403 PUBLICATION_REFUSED .*outside/,
  );
  assert.match(await refusal(inside, { authorization: '' }), /^401 HTTP_TOKEN_NEEDED/);
  assert.match(await refusal(inside, { authorization: 'Bearer a-token-to-read' }), /^403 HTTP_FORBIDDEN/);
  assert.match(
    await refusal(soif(page('a'), 'A', 'Time-to-Live{8}:\t99999999\n')),
    /^403 .*more than 366 days/,
  );
  assert.match(await refusal(soif(page('a'), 'A', 'Time-to-Live{1}:\t-\n')), /^403 .*no number/);
  assert.match(await refusal(`@FILE { ${page('a')}\n}\n`), /^403 .*no attributes/);
  assert.match(await refusal('no SOIF'), /^400 PUBLICATION_INVALID/);
  assert.match(await refusal(soif(page('a')).repeat(1001)), /^400 .*more than 1000 objects/);
  assert.match(await refusal('{}', { 'content-type': 'application/json' }), /^400 PUBLICATION_INVALID/);
  assert.equal(store.count, 0);
  assert.equal(refusals.length, 6);
  assert.match(refusals[0] ?? '', /^http\.admin-tokens 1: PUBLICATION_REFUSED: https:\/\/office/);
});

test('a listed server publishes what it signs; another key, replays, older and foreign ones are refused', async () => {
  await using broker = await openDesk();
  const { clock, send, store, refusals } = broker;
  const updatedAt = Math.floor(clock.now() / 1000);
  const first = publicationOf(office, own(), { updatedAt });
  await send(first);
  await assert.rejects(send(first), refused(/not newer/));
  await assert.rejects(
    send(publicationOf(office, own('Old'), { updatedAt: updatedAt - 1 })),
    refused(/not newer/),
  );
  const later = { updatedAt: updatedAt + 1 };
  const forged = { ...publicationOf(stranger, own(), later), publisher: office.serverId };
  await assert.rejects(send(forged), refused(/another key is listed/));
  await assert.rejects(send({ ...forged, key: office.publicKey }), refused(/signature does not match/));
  await assert.rejects(send(publicationOf(stranger, own(), later)), refused(/is no publisher/));
  const outside = own('Office', 'https://office.example/docs-of-others');
  await assert.rejects(send(publicationOf(office, outside, later)), refused(/outside the URL prefixes/));
  const blocked = own('Former', 'https://former.example/');
  await assert.rejects(send(publicationOf(former, blocked, later)), refused(/is blocked/));
  assert.equal(refusals.length, 7);
  await send(publicationOf(office, own(), { ...later, isUnchanged: true }));
  const oid = oidOf(office.serverId, own().url);
  assert.equal((await store.describe(oid))?.updatedAt, updatedAt + 1);
  await send(withdrawalOf(office, own().url, updatedAt + 2));
  assert.equal(store.count, 0);
  await assert.rejects(send(publicationOf(office, own(), later)), refused(/not newer/));
});

test('a signature travels with SOIF in headers', async () => {
  await using broker = await openDesk();
  const { clock, post, store } = broker;
  const updatedAt = Math.floor(clock.now() / 1000);
  const body = soif(own().url, 'Office');
  const headers = ({ signature }: Publication) => ({
    ...{ 'garner-publisher': nameOf(office), 'garner-update-time': String(updatedAt), authorization: '' },
    'garner-signature': Buffer.from(signature).toString('base64url'),
  });
  const signed = headers(publicationOf(office, own(), { updatedAt }));
  assert.match((await post(body.replace('Office', 'Forged'), signed)).error?.message ?? '', /does not match/);
  assert.equal(
    (await post(body, { ...signed, 'garner-update-time': 'now' })).error?.code,
    'PUBLICATION_INVALID',
  );
  assert.equal(
    (await post(body, { ...signed, 'garner-publisher': 'me' })).error?.code,
    'PUBLICATION_INVALID',
  );
  assert.equal((await post(body + body, signed)).error?.code, 'PUBLICATION_INVALID');
  assert.equal((await post(body, signed)).outcome, 'stored');
  const gone = headers(withdrawalOf(office, own().url, updatedAt));
  assert.equal((await post(`@DELETE {\n@FILE { ${own().url}\n}\n}\n`, gone)).outcome, 'withdrawn');
  assert.equal(store.count, 0);
});

test('a publisher has no more documents than its maximum, also after a restart, and expired ones leave room', async () => {
  await using broker = await openDesk({ maxDocuments: 2 });
  const { clock, post, store } = broker;
  const short = (name: string) => post(soif(page(name), 'A', 'Time-to-Live{2}:\t60\n'));
  await short('a');
  await short('b');
  assert.match((await short('c')).error?.message ?? '', /has 2 objects here, which is the maximum/);
  await broker.reopened();
  assert.equal((await short('a')).status, 200);
  assert.equal((await short('c')).status, 403);
  await post(JSON.stringify({ url: page('a'), withdrawn: true }), { 'content-type': 'application/json' });
  assert.equal((await short('c')).status, 200);
  clock.advance(120_000);
  await store.expire();
  assert.equal((await short('d')).status, 200);
});

test('a document that an administrator deleted is refused until it changes, or for good', async () => {
  await using broker = await openDesk();
  const { post, store, blocks, identity, clock } = broker;
  const oid = oidOf(identity.serverId, page('a'));
  const block = async (isForGood: boolean) => {
    const { digest, url } = (await store.describe(oid)) ?? assert.fail('it is not stored');
    const at = Math.floor(clock.now() / 1000);
    await blocks.delete([{ oid, url, digest, isForGood, reason: '', by: '', at }], (oids) =>
      deleteObjects({ store } as Parameters<typeof deleteObjects>[0], oids),
    );
  };
  await post(soif(page('a')));
  await block(false);
  assert.match((await post(soif(page('a')))).error?.message ?? '', /an administrator has deleted it/);
  assert.equal((await post(soif(page('a'), 'Other'))).status, 200);
  assert.equal(blocks.count, 0);
  await block(true);
  assert.equal((await post(soif(page('a'), 'Third'))).status, 403);
  assert.equal(store.count, 0);
});
