import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boxHigh, type Format, layOut } from './layer-layout.ts';

const formats: readonly Format[] = [
  { width: 800, boxWide: 136, columns: 5 },
  { width: 576, boxWide: 168, columns: 3 },
  { width: 344, boxWide: 148, columns: 2 },
];

const layersAndLinks = fc
  .array(fc.record({ count: fc.integer({ min: 0, max: 9 }), isNamed: fc.boolean() }), { maxLength: 6 })
  .chain((layers) => {
    const boxes = layers.reduce((sum, { count }) => sum + count, 0);
    const box = fc.integer({ min: 0, max: Math.max(0, boxes - 1) });
    const links = fc.array(fc.record({ from: box, to: box }), { maxLength: boxes === 0 ? 0 : 40 });
    return links.map((links) => ({ layers, boxes, links }));
  });

for (const format of formats) {
  const { width, boxWide } = format;

  test(`with ${format.columns} columns no box lies on another, on a line or outside the picture`, () => {
    fc.assert(
      fc.property(layersAndLinks, ({ layers, boxes: count, links }) => {
        const { height, boxes, lines } = layOut(layers, links, format);
        assert.deepEqual([boxes.length, lines.length], [count, links.length]);
        for (const [at, { x, y }] of boxes.entries()) {
          assert.ok(x >= 0 && x + boxWide <= width && y >= 0 && y + boxHigh <= height);
          for (const other of boxes.slice(at + 1))
            assert.ok(Math.abs(x - other.x) >= boxWide || Math.abs(y - other.y) >= boxHigh);
          // A curve lies within the hull of its points.
          for (const curve of lines.flat()) {
            const [xs, ys] = [curve.map((point) => point.x), curve.map((point) => point.y)];
            const isLeftOrRight = Math.max(...xs) <= x || Math.min(...xs) >= x + boxWide;
            assert.ok(isLeftOrRight || Math.max(...ys) <= y || Math.min(...ys) >= y + boxHigh);
            assert.ok(Math.min(...xs) >= 0 && Math.max(...xs) <= width && Math.max(...ys) <= height);
          }
        }
      }),
    );
  });

  test(`with ${format.columns} columns every line leads without a break from its upper box to its lower one`, () => {
    fc.assert(
      fc.property(layersAndLinks, ({ layers, links }) => {
        const { boxes, lines } = layOut(layers, links, format);
        for (const [at, curves] of lines.entries()) {
          const { from, to } = links[at] ?? { from: 0, to: 0 };
          if (from === to) {
            assert.deepEqual(curves, []);
            continue;
          }
          const ends = [curves[0]?.[0], curves.at(-1)?.[3]];
          const touched = ends.map((point) =>
            boxes.findIndex(
              ({ x, y }) =>
                point !== undefined &&
                point.x >= x - 1e-9 &&
                point.x <= x + boxWide + 1e-9 &&
                point.y >= y &&
                point.y <= y + boxHigh,
            ),
          );
          assert.deepEqual(touched.sort(), [from, to].sort());
          for (const [next, curve] of curves.slice(1).entries())
            assert.deepEqual(curve[0], curves[next]?.[3]);
        }
      }),
    );
  });
}

test('every row of a layer is centred', () => {
  const [format] = formats as [Format];
  const { boxes } = layOut([{ count: 7, isNamed: true }], [], format);
  const rows = [...new Set(boxes.map(({ y }) => y))].map((top) => boxes.filter(({ y }) => y === top));
  assert.deepEqual(
    rows.map((row) => row.length),
    [4, 3],
  );
  for (const row of rows)
    assert.ok(Math.abs((row[0]?.x ?? 0) + (row.at(-1)?.x ?? 0) + format.boxWide - format.width) < 1e-9);
});
