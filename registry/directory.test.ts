import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { identityFrom, newIdentitySecret, type Oid, oidOf } from '../soif/index.ts';
import { ContentFingerprint } from './coverage/content-fingerprint.ts';
import { figuresOf } from './descriptions/index.ts';
import { ServerIndex, type ServerRow, SortedKeys } from './servers/index.ts';
import { described, openRegistry } from './testing/open-registry.ts';
import { serverLinks } from './topology/index.ts';

const key = fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b', '/', '\0', '\uffff', '😀') });

test('sorted keys are those of a plain set, from any place', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), key), { maxLength: 200 }), key, (steps, from) => {
      const [keys, truth] = [new SortedKeys(), new Set<string>()];
      for (const [isAdded, text] of steps) {
        if (isAdded) keys.add(text);
        else keys.delete(text);
        if (isAdded) truth.add(text);
        else truth.delete(text);
      }
      assert.deepEqual(
        [...keys.from(from)],
        [...truth].sort().filter((text) => text >= from),
      );
    }),
  );
});

const hosts = ['https://a.example/', 'https://ab.example/', 'https://a.example/b/', 'http://a.example/'];
const step = fc.record({
  n: fc.nat(7),
  server: fc.nat(2),
  url: fc.constantFrom(...hosts),
  name: fc.constantFrom('Tide', 'Tide table', 'Höhe', '😀'.repeat(41)),
  isPut: fc.boolean(),
});

test('servers are found by id, server id, address and the start of an address as in a plain list', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.constantFrom('', 'https://a', ...hosts),
      (steps, prefix) => {
        const [index, truth] = [new ServerIndex(), new Map<Oid, ServerRow>()];
        for (const { n, server, url, name, isPut } of steps) {
          const id = `id-${n}` as Oid;
          const serverId = `server-${server}` as ServerRow['serverId'];
          const place = {
            ...figuresOf([]),
            id,
            serverId,
            url,
            placed: serverLinks({ ...figuresOf([]), url }),
          };
          const type = n % 2 === 0 ? 'BROKER' : 'REGISTRY';
          const row: ServerRow = { ...described, ...place, type, name, updatedAt: 1 };
          if (isPut) index.put(row);
          else index.delete(id);
          if (isPut) truth.set(id, row);
          else truth.delete(id);
        }
        const ids = (rows: Iterable<ServerRow>) => [...rows].map(({ id }) => id).sort();
        const rows = [...truth.values()];
        assert.deepEqual(index.byAge(), rows, 'a changed description keeps its place');
        for (const type of ['BROKER', 'REGISTRY', 'CACHE'] as const)
          assert.deepEqual(
            index.byAge(type),
            rows.filter((row) => row.type === type),
          );
        for (const url of hosts)
          assert.deepEqual(ids(index.at(url)), ids(rows.filter((row) => row.url === url)));
        for (let server = 0; server < 3; server++) {
          const serverId = `server-${server}` as ServerRow['serverId'];
          assert.deepEqual(
            [...index.idsOf(serverId)].sort(),
            ids(rows.filter((row) => row.serverId === serverId)),
          );
        }
        const walked = [...index.walk(prefix, ['tide'])].map(({ row }) => row);
        const wanted = rows.filter(({ name, url }) => /tide/i.test(name) && url.startsWith(prefix));
        assert.deepEqual(ids(walked), ids(wanted));
        const order = walked.map((row) => (prefix === '' ? row.name : row.url));
        assert.deepEqual(order, [...order].sort());
      },
    ),
  );
});

interface Page {
  readonly total: number;
  readonly servers: readonly { readonly name: string; readonly url: string; readonly state: string }[];
  readonly next: string | null;
}

test('GET /servers has pages, and filters by type, state, words and the start of the address', async () => {
  await using registry = await openRegistry({ maxServers: 100 });
  const { clock, url } = registry;
  const ask = async (query: string) => (await (await fetch(`${url}servers?${query}`)).json()) as Page;
  const names = async (query: string) => (await ask(query)).servers.map(({ name }) => name);
  const identities = Array.from({ length: 7 }, () => identityFrom(newIdentitySecret()));
  for (const [n, own] of identities.entries()) {
    const type = n % 2 === 0 ? ('BROKER' as const) : ('GATHERER' as const);
    const where = { url: `https://h${n % 2}.example/${n}/`, location: n < 3 ? 'North Harbour' : 'South' };
    // A name may end within a surrogate pair where its sort key is cut.
    await registry.send(own, { ...where, type, name: `${'x'.repeat(78)}${n}😀` });
    clock.advance(20_000);
  }
  let [seen, after]: [string[], string] = [[], ''];
  for (let pages = 0; pages < 4; pages++) {
    const page = await ask(`limit=2&after=${after}`);
    assert.equal(page.total, 7);
    seen = [...seen, ...page.servers.map(({ name }) => name)];
    after = page.next ?? '';
    assert.equal(page.next === null, pages === 3);
  }
  assert.deepEqual(seen, await names(''));
  assert.equal(new Set(seen).size, 7);

  assert.equal((await ask('type=gatherer')).total, 3);
  assert.equal((await ask('q=north+HARBOUR')).total, 3);
  assert.equal((await ask('q=north+south')).total, 0);
  const under = await ask('prefix=https://h1.example/&limit=2');
  assert.deepEqual(
    [under.total, under.servers.map(({ url }) => url)],
    [3, ['https://h1.example/1/', 'https://h1.example/3/']],
  );
  const rest = await ask(`prefix=https://h1.example/&after=${under.next}`);
  assert.deepEqual(
    rest.servers.map(({ url }) => url),
    ['https://h1.example/5/'],
  );
  // The first ones were sent 140 and more seconds ago, and are late after 90.
  assert.deepEqual((await ask('state=late')).servers.map(({ url }) => url).sort(), [
    'https://h0.example/0/',
    'https://h0.example/2/',
    'https://h1.example/1/',
  ]);
  assert.equal((await ask('state=live')).total, 4);
  const own = identities[3];
  const at = 'https://h1.example/3/';
  for (const id of [own?.serverId, own && oidOf(own.serverId, at), encodeURIComponent(at)]) {
    const found = (await (await fetch(`${url}servers/${id}`)).json()) as { readonly url: string };
    assert.equal(found.url, at);
  }
  for (const query of [
    'type=brokr',
    'state=broken',
    'limit=0',
    'limit=1001',
    'limit=x',
    `q=${'x'.repeat(2001)}`,
  ])
    assert.equal((await fetch(`${url}servers?${query}`)).status, 400, query);
  assert.equal((await fetch(`${url}gathered?url=foo`)).status, 400);
});

test('no look at a directory asks for more proofs than it shows servers, and a renewal describes none', async (t) => {
  await using registry = await openRegistry({ maxServers: 100 });
  const { directory, clock } = registry;
  const fingerprint = new ContentFingerprint();
  for (let n = 0; n < 200; n++) fingerprint.put(`${n}` as Oid, `content ${n}`);
  const attributes = [
    ['Roots', 'https://site.example/docs/'],
    ['Content-Fingerprint', `${fingerprint}`],
  ] as const;
  const described: number[] = [];
  directory.onChange(({ size }) => described.push(size));
  const own = identityFrom(newIdentitySecret());
  for (let n = 0; n < 6; n++)
    await registry.send(n === 0 ? own : identityFrom(newIdentitySecret()), {
      ...{ url: `https://h${n}.example/`, attributes },
    });
  clock.advance(1000);
  await registry.send(own, { url: 'https://h0.example/', attributes }, { isUnchanged: true });
  assert.deepEqual([described.length, described.at(0), described.at(-1)], [7, 1, 0]);

  let proofs = 0;
  directory.proofOf = () => {
    proofs++;
    return 'proved';
  };
  const asked = (look: () => readonly unknown[]) => {
    proofs = 0;
    return [look().length, proofs];
  };
  const parse = t.mock.method(URL, 'parse');
  assert.deepEqual(
    asked(() => directory.page({ state: 'live' }, { limit: 2 }).servers),
    [2, 2],
  );
  for (const all of [() => directory.list(), () => directory.brokers(), () => directory.known()])
    assert.deepEqual(asked(all), [6, 0]);
  assert.equal(parse.mock.callCount(), 0);
  const id = directory.ids()[0] as Oid;
  assert.deepEqual(
    asked(() => directory.alike(id, 3)),
    [3, 3],
  );
  assert.deepEqual(
    asked(() => directory.gathered('https://site.example/docs/', 3)),
    [3, 3],
  );
});
