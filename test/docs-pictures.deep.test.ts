import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { whoTalksToWhom } from './docs-diagram.ts';
import { pictures, takePictures } from './docs-pictures.ts';
import { pages, root } from './manual-pages.ts';
import { launched, skip } from './pages/browser-page.ts';

const diagram = join(pictures, 'who-talks-to-whom.svg');
const writes = process.env.GARNER_WRITE_DOCS === '1';

if (writes)
  test('the pictures are taken again', { skip, timeout: 120_000 }, async () => {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(diagram, whoTalksToWhom());
    const browser = await launched();
    try {
      await takePictures(browser);
    } finally {
      await browser.close();
    }
  });

test('the picture of who talks to whom is the one that is drawn', () => {
  assert.equal(
    readFileSync(diagram, 'utf8'),
    whoTalksToWhom(),
    'run GARNER_WRITE_DOCS=1 npm test -- docs-pictures',
  );
});

test('the screenshots are small pictures', () => {
  for (const name of ['federation.png', 'search-page.png', 'status-page.png']) {
    const bytes = readFileSync(join(pictures, name));
    assert.equal(bytes.subarray(1, 4).toString('latin1'), 'PNG', name);
    assert.ok(bytes.length < 120_000, `${name} has ${bytes.length} bytes`);
    const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
    assert.ok(width >= 600 && height >= 400, `${name} is ${width} x ${height}`);
  }
});

test('every picture is shown on a page, with a text in its place', () => {
  const shown = new Set<string>();
  for (const { path, prose } of pages())
    for (const [, text = '', target = ''] of prose.matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g)) {
      assert.ok(text.length > 20, `${path}: ${target} has no text in its place`);
      shown.add(relative(pictures, resolve(root, dirname(path), target)));
    }
  assert.deepEqual(readdirSync(pictures).sort(), [...shown].sort());
});
