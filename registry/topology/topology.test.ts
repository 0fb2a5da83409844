import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { figuresOf, publicAddress } from '../descriptions/index.ts';
import { placeOf, serverLinks } from './server-links.ts';
import { type KnownServer, topologyOf } from './topology.ts';

const now = 1_795_250_870;

/** A server id made from a name. */
const keyOf = (name: string) => `key-${name}`.padEnd(22, '0');

/** A server with its description's attributes; renewed this second. */
function server(
  name: string,
  own: Partial<KnownServer> = {},
  attributes: Readonly<Record<string, string>> = {},
): KnownServer {
  const url = `https://${name}.example/`;
  return {
    ...{ id: `id-${name}`, serverId: keyOf(name), type: 'BROKER', name, url, objects: 3 },
    ...{ state: 'live', updatedAt: now },
    ...serverLinks({ ...figuresOf(Object.entries(attributes)), url }),
    ...own,
  };
}

/** `from > to state` of each edge. */
const edges = (servers: readonly KnownServer[]) =>
  topologyOf(servers, now).edges.map(({ from, to, state }) => `${from} > ${to} ${state}`);

test('who collects from whom is found by server id, and by address in any form', () => {
  const lines = [
    `live https://a.example/ ${keyOf('b')}`,
    'late https://c.example/',
    'broken http://nowhere.example/x/',
    'strange https://c.example/',
    `live - ${keyOf('d')}`,
  ];
  const servers = [
    ...['a', 'b', 'c', 'd'].map((name) => server(name)),
    server('e', {}, { 'Collects-From': lines.join('\n') }),
  ];
  assert.deepEqual(edges(servers), [
    'id-b > id-e live',
    'id-c > id-e late',
    'unlisted:nowhere.example/x > id-e broken',
    'id-d > id-e live',
  ]);
  const { nodes } = topologyOf(servers, now);
  assert.deepEqual(
    nodes.filter(({ type }) => type === 'UNLISTED'),
    [
      {
        ...{ id: 'unlisted:nowhere.example/x', type: 'UNLISTED', name: 'nowhere.example/x' },
        ...{ url: 'http://nowhere.example/x/', state: null, objects: null, age: null },
      },
    ],
  );
});

test('the sites of a Gatherer, one for each host, and the parents of a cache have lines too', () => {
  const servers = [
    server(
      'g',
      { type: 'GATHERER' },
      { Roots: 'https://w.example/a\nhttps://w.example/b\nftp://f.example/' },
    ),
    server('top', { type: 'CACHE' }),
    server('edge', { type: 'CACHE' }, { Parents: 'broken http://top.example/' }),
  ];
  assert.deepEqual(edges(servers), [
    'site:https://w.example/ > id-g live',
    'site:ftp://f.example/ > id-g live',
    'id-top > id-edge broken',
  ]);
});

test('a line is no better than the lease of its collector, nor than that of a source that was not heard of since', () => {
  const collects = { 'Collects-From': 'live https://source.example/' };
  const line = (source: Partial<KnownServer>, collector: Partial<KnownServer>) =>
    edges([server('source', source), server('collector', collector, collects)])[0]
      ?.split(' ')
      .at(-1);
  assert.equal(line({}, {}), 'live');
  assert.equal(line({}, { state: 'late' }), 'late');
  assert.equal(line({}, { state: 'broken' }), 'broken');
  assert.equal(line({ state: 'late' }, {}), 'live');
  // The collector has reported since that it still collects.
  assert.equal(line({ state: 'broken', updatedAt: now - 300 }, { updatedAt: now - 20 }), 'live');
  assert.equal(line({ state: 'broken', updatedAt: now - 300 }, { updatedAt: now - 310 }), 'broken');
});

test('a topology has bounds, and counts what is left out, the healthy first', () => {
  const roots = Array.from({ length: 256 }, (_, at) => `https://r${at}.example/`).join('\n');
  const servers = Array.from({ length: 1000 }, (_, at) =>
    server(`b${at}`, at === 999 ? { state: 'broken' } : {}, {
      Roots: roots,
      'Collects-From': Array.from({ length: 300 }, (_, other) => `live https://b${other}.example/`).join(
        '\n',
      ),
    }),
  );
  const { nodes, edges, more } = topologyOf(servers, now);
  assert.deepEqual([nodes.length, edges.length], [1000, 4000]);
  assert.ok(nodes.some(({ name }) => name === 'b999'));
  assert.deepEqual(more, [
    { type: 'BROKER', nodes: 200, broken: 0 },
    { type: 'PROVIDER', nodes: 56, broken: 0 },
  ]);
});

test('whatever a description says of other servers, what is no link is left out and the rest is bounded', () => {
  const url = fc.webUrl().map((text) => publicAddress(text) ?? 'https://a.example/');
  const link = (...states: readonly string[]) =>
    fc.tuple(fc.constantFrom(...states), url).map((parts) => parts.join(' '));
  const line = fc.oneof(link('live', 'late', 'broken'), link('dead'), fc.stringMatching(/^[ -~]{0,80}$/));
  const many = Array.from({ length: 300 }, (_, at) => `live https://h${at}.example/`);
  let longest = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 600 }), (lines) => {
      const roots = lines.map((text) => text.split(' ')[1] ?? text);
      const read = serverLinks({
        ...{ url: 'https://x.example/' },
        ...figuresOf([
          ['Collects-From', lines.join('\n')],
          ['Parents', lines.join('\n')],
          ['Roots', roots.join('\n')],
        ]),
      });
      for (const { state, url, place, serverId } of [...read.collectsFrom, ...read.parents]) {
        assert.ok(['live', 'late', 'broken'].includes(state) && url.length <= 600);
        assert.ok(place !== '' || serverId !== undefined);
      }
      const sizes = [read.collectsFrom, read.parents, read.roots].map(({ length }) => length);
      assert.ok(Math.max(...sizes) <= 256, `${sizes}`);
      longest = Math.max(longest, Math.min(...sizes));
      topologyOf([server('x', read)], now);
    }),
    { numRuns: 20, examples: [[many]], endOnFailure: true },
  );
  assert.equal(longest, 256);
  assert.equal(placeOf('no address'), '');
});

test('a drawing parses no address', (t) => {
  const lines = { Roots: 'https://w.example/a', 'Collects-From': 'live https://b.example/' };
  const servers = [server('a', {}, lines), server('b', {}, lines)];
  const parse = t.mock.method(URL, 'parse');
  assert.deepEqual(edges(servers).sort(), [
    'id-b > id-a live',
    'site:https://w.example/ > id-a live',
    'site:https://w.example/ > id-b live',
  ]);
  assert.equal(parse.mock.callCount(), 0);
});
