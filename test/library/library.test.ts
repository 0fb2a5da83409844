import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MemoryReplica, schemes } from '../../library/awareness.ts';
import { compileQuery, parseQuery } from '../../library/query.ts';
import {
  attributeText,
  decodeObject,
  digestOf,
  encodeObject,
  identityFrom,
  newIdentitySecret,
  oidOf,
  parseSoif,
  provenanceBytes,
  type SoifItem,
  summaryObject,
  verifier,
} from '../../library/soif.ts';
import {
  collect,
  connect,
  isGarnerError,
  MemoryKeyring,
  systemClock,
  systemRandom,
  watchHints,
} from '../../library/wire.ts';
import { BrokerClient } from '../../web/client/broker-client.ts';
import { type Harbour, openHarbour } from './harbour.ts';

let harbour: Harbour;
before(async () => {
  harbour = await openHarbour();
});
after(() => harbour[Symbol.asyncDispose]());

test('a program finds with garner/query what a Broker finds', async () => {
  const client = new BrokerClient(harbour.url);
  const { hits } = await client.search({ q: '*' });
  const objects = await Promise.all(hits.map(({ oid }) => client.object(oid)));
  assert.equal(objects.length, 2);
  const queries = [
    'mooring',
    'Title: fees',
    '"two ropes"',
    'ferry OR quay',
    'NOT Title: fee*',
    'moor NEAR/3 ferry',
  ];
  for (const q of queries) {
    const isWanted = compileQuery(parseQuery(q).query);
    const own = objects
      .filter(({ url, attributes }) =>
        isWanted(
          summaryObject(
            url,
            attributes.map(({ name, value }) => [name, value] as const),
          ),
        ),
      )
      .map(({ url }) => url);
    const answer = await client.search({ q, exact: true });
    assert.deepEqual(own.toSorted(), answer.hits.map(({ url }) => url).toSorted(), q);
    assert.ok(own.length > 0, q);
  }
});

test('a program reads the SOIF text of a Broker and verifies the signature of its Gatherer', async () => {
  const { session, replica, round } = await openCopy();
  await collect(round);
  const key = await round.keyring.keyOf(session.peer.serverId);
  await session.close();
  const { hits } = await new BrokerClient(harbour.url).search({ q: 'ferry' });
  const { body } = await fetch(new URL(`objects/${hits[0]?.oid}`, harbour.url));
  const items: SoifItem[] = [];
  for await (const item of parseSoif(body ?? [])) items.push(item);
  const object = items[0]?.object ?? summaryObject('-', []);
  assert.equal(attributeText(object, 'Title'), 'Moorings');
  const oid = oidOf(session.peer.serverId, object.url);
  const { signature, updatedAt, digest } = replica.get(oid) ?? {};
  assert.ok(key && signature && updatedAt);
  assert.deepEqual(digestOf(object), digest);
  const verify = verifier(key);
  assert.ok(verify(provenanceBytes(oid, digestOf(object), updatedAt), signature));
  const forged = digestOf(summaryObject(object.url, [['Title', 'Airport']]));
  assert.ok(!verify(provenanceBytes(oid, forged, updatedAt), signature));
  assert.deepEqual(decodeObject(encodeObject(object)), object);
});

/** A session with the Gatherer, and an empty copy of it. */
async function openCopy() {
  const session = await connect({
    ...{ url: harbour.wire, identity: identityFrom(newIdentitySecret()), name: 'copy', role: 'client' },
    ...{ clock: systemClock, random: systemRandom },
  });
  const replica = new MemoryReplica();
  const round = {
    session,
    replica,
    keyring: new MemoryKeyring(),
    clock: systemClock,
    name: 'site',
    deleteGuard: 1,
  };
  return { session, replica, round };
}

const titles = (replica: MemoryReplica) =>
  Array.from(replica.objects(), (object) => attributeText(object, 'Title')).toSorted();

test('a copy in memory learns inserts, changes and deletions of a Gatherer by every scheme', async (t) => {
  const { session, replica, round } = await openCopy();
  await collect(round);
  const ran: string[] = [];
  for (const { name } of schemes) {
    await harbour.put('news.html', `News for ${name}`, 'Rain.');
    await harbour.put('buoys.html', `Buoys for ${name}`, 'Yellow.');
    try {
      const report = await collect({ ...round, scheme: name });
      assert.ok(report.schemes.includes(name), `${report.schemes} ran in the place of ${name}`);
      ran.push(name);
    } catch (error) {
      // The store of a Gatherer refuses what would lose a change.
      assert.ok(isGarnerError(error) && /EXCHANGE_SCHEME/.test(error.message + error.code), String(error));
      await collect(round);
    }
    assert.deepEqual(titles(replica), [`Buoys for ${name}`, 'Mooring fees', 'Moorings', `News for ${name}`]);
    await harbour.remove('buoys.html');
    await collect(round);
    assert.equal(replica.size, 3);
  }
  t.diagnostic(ran.join(', '));
  for (const name of [
    'log',
    'signature',
    'hierarchical-signatures',
    'sketch',
    'short-ids',
    'simple-snapshot',
  ])
    assert.ok(ran.includes(name), `${name} did not run`);
  const [first] = [...replica.objects()];
  assert.ok(first !== undefined);
  await harbour.remove('news.html');
  await session.close();
});

test('a program is notified by a hint and collects what changed', async () => {
  const { session, replica, round } = await openCopy();
  await collect(round);
  const known = (await replica.state()).marker?.lsn ?? 0;
  const end = new AbortController();
  const hinted = new Promise<number>((resolve) => {
    watchHints(session, ({ lsn }) => lsn > known && resolve(lsn), end.signal).catch(() => {});
  });
  await harbour.put('tides.html', 'Tides', 'Twice a day.');
  const lsn = await hinted;
  const report = await collect(round);
  assert.deepEqual([report.learned, report.lsn], [1, lsn]);
  assert.deepEqual(titles(replica), ['Mooring fees', 'Moorings', 'Tides']);
  end.abort();
  await harbour.remove('tides.html');
  await session.close();
});
