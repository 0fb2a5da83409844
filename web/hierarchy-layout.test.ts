import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boxHigh, layOut, narrowFormat, type Place, wideFormat } from './hierarchy-layout.ts';

for (const format of [wideFormat, narrowFormat]) {
  const count = (max: number) => fc.integer({ min: 0, max: max });
  const counts = fc.record({
    above: count(format.maxInBand),
    beside: count(format.maxBeside),
    below: count(format.maxInBand),
  });
  const wide = format.boxWide;

  test(`with ${format.columns} columns no box lies on another, on a line or outside the picture`, () => {
    fc.assert(
      fc.property(counts, (asked) => {
        const { height, own, above, beside, below, trunks } = layOut(asked, format);
        const around = [...above, ...beside, ...below];
        assert.deepEqual(
          [above.length, beside.length, below.length],
          [asked.above, asked.beside, asked.below],
        );
        const boxes: Place[] = [own, ...around];
        for (const [at, { x, y }] of boxes.entries()) {
          assert.ok(x >= 0 && x + wide <= format.width && y >= 0 && y + boxHigh <= height);
          for (const other of boxes.slice(at + 1))
            assert.ok(Math.abs(x - other.x) >= wide || Math.abs(y - other.y) >= boxHigh);
          for (const { x1, y1, x2, y2 } of [...trunks, ...around.map(({ line }) => line)]) {
            const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
            const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
            assert.ok(right <= x || left >= x + wide || bottom <= y || top >= y + boxHigh);
          }
        }
      }),
    );
  });

  test(`with ${format.columns} columns every row is centred, and every box is reached from the cache`, () => {
    fc.assert(
      fc.property(counts, (asked) => {
        const { own, above, beside, below, trunks } = layOut(asked, format);
        for (const band of [above, below])
          for (const y of new Set(band.map((box) => box.y))) {
            const row = band.filter((box) => box.y === y).map(({ x }) => x);
            assert.ok(Math.abs(Math.min(...row) + Math.max(...row) + wide - format.width) < 1e-9);
          }
        const pieces = [...trunks, ...[...above, ...beside, ...below].map(({ line }) => line)];
        const touches = (a: (typeof pieces)[number], b: (typeof pieces)[number]) =>
          Math.max(Math.min(a.x1, a.x2), Math.min(b.x1, b.x2)) <=
            Math.min(Math.max(a.x1, a.x2), Math.max(b.x1, b.x2)) &&
          Math.max(Math.min(a.y1, a.y2), Math.min(b.y1, b.y2)) <=
            Math.min(Math.max(a.y1, a.y2), Math.max(b.y1, b.y2));
        const box = { x1: own.x, y1: own.y, x2: own.x + wide, y2: own.y + boxHigh };
        const reached = new Set(pieces.filter((piece) => touches(piece, box)));
        for (const from of reached) for (const to of pieces) if (touches(from, to)) reached.add(to);
        assert.equal(reached.size, pieces.length);
      }),
    );
  });
}
