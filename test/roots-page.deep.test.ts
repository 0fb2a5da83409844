import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { parseRootNode, rootSchemes } from '../gatherer/index.ts';
import { checkout } from './checkout.ts';

const page = readFileSync(join(checkout(dirname(fileURLToPath(import.meta.url))), 'docs/roots.md'), 'utf8');

function* shownRoots(): Iterable<unknown> {
  for (const [, text = ''] of page.matchAll(/^```yaml\n([\s\S]*?)^```/gm))
    yield* (parse(text) as { gatherer?: { roots?: unknown[] } }).gatherer?.roots ?? [];
}

test('every root shown is valid, and every scheme is shown', () => {
  const roots = [...shownRoots()];
  assert.ok(roots.length > 10);
  for (const [at, root] of roots.entries()) parseRootNode(root, `docs/roots.md root ${at}`);
  for (const scheme of rootSchemes) assert.match(page, new RegExp(`\\b${scheme}:`), scheme);
});

test('every option of a root is explained', () => {
  assert.throws(
    () => parseRootNode({ url: 'http://x/', nonsense: 1 }, 'root'),
    ({ hint }: { hint: string }) => {
      const options = hint.replace(/^Options: |\.$/g, '').split(', ');
      assert.ok(options.length > 10);
      for (const option of options) assert.ok(page.includes(`| \`${option}\` |`), option);
      return true;
    },
  );
});
