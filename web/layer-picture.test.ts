import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './html.ts';
import { ordered } from './layer-order.ts';
import { type Box, bounded, drawn } from './layer-picture.ts';
import { readTopology } from './topology-data.ts';
import { topologyView } from './topology-view.ts';

const box = (id: string): Box => ({ id, name: id, note: '', kind: 'x' });
const format = { width: 800, boxWide: 136, columns: 5 };

test('boxes without a place are one box with their number, and the lines to them lead to it', () => {
  const all = Array.from({ length: 12 }, (_, at) => box(`b${at}`));
  const boxes = bounded(all, 5, () => ({ note: '', kind: 'more' }), 30);
  assert.deepEqual(
    boxes.map(({ name }) => name),
    ['b0', 'b1', 'b2', 'b3', 'and 38 more'],
  );
  const layers = [
    { name: 'Above', boxes: [box('a')] },
    { name: '', boxes },
  ];
  const edges = all.map(({ id }) => ({ from: 'a', to: id, kind: id === 'b9' ? 'late' : 'live' }));
  const text = html(drawn({ id: 'p', title: 't', about: 'a', layers, edges }, format, 'wide'));
  assert.equal(text.match(/<path class="edge /g)?.length, 5);
});

test('boxes are put in an order by which fewer lines cross', () => {
  const layers = [
    ['a', 'b', 'c'],
    ['z', 'y', 'x'],
  ];
  const lines = [
    { from: 'a', to: 'x' },
    { from: 'b', to: 'y' },
    { from: 'c', to: 'z' },
    { from: 'c', to: 'nobody' },
  ];
  const [above = [], below = []] = ordered(layers, lines);
  assert.deepEqual([above.toSorted(), below.toSorted()], [layers[0], layers[1]?.toSorted()]);
  assert.deepEqual(
    above.map((id) => lines.find(({ from, to }) => from === id && to !== 'nobody')?.to),
    below,
  );
});

test('a topology of any kind has a page: cycles, strange states, names that are markup', () => {
  const node = (id: string, more: object = {}) => ({
    id,
    type: 'BROKER',
    name: `<i>${id}`,
    url: 'x',
    ...more,
  });
  const topology = readTopology({
    version: '<v>',
    nodes: [node('a', { state: 'live', age: 90 }), node('b', { state: 'odd' }), node('c', { type: 'X' }), 7],
    edges: [
      { from: 'a', to: 'b', state: 'live' },
      { from: 'b', to: 'a', state: 'odd' },
      { from: 'a', to: 'nobody' },
      null,
    ],
    more: [{ type: 'BROKER', nodes: 9000, broken: 4 }],
  });
  assert.ok(topology);
  const text = html(topologyView(topology, { registry: '<b>R', now: 0 }));
  assert.ok(!text.includes('<i>') && !text.includes('<b>') && text.includes('&lt;i&gt;a'));
  assert.match(text, /and 9,000 more.*4 broken/);
  assert.match(text, /9,001 servers: 4 broken/);
  assert.match(text, /9,000 more are not shown here/);
  for (const json of [null, [], {}, { nodes: [] }]) assert.equal(readTopology(json), undefined);
  const empty = readTopology({ nodes: [], edges: [] });
  assert.ok(
    empty && html(topologyView(empty, { registry: 'R', now: 0 })).includes('No server has registered'),
  );
});
