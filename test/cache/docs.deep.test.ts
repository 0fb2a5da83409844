import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from '../checkout.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const source = (path: string) => readFileSync(join(root, path), 'utf8');

test('the manual explains each reason for a peer in Cache-Status, and each fwd', () => {
  const [, table = ''] = source('docs/cache.md').split('### What Cache-Status says');
  const router = source('cache/peers/peer-router.ts');
  const reasons = [
    ...[...router.matchAll(/routeTo\([^;]*?'([a-z-]+)'/g)].map(([, reason]) => reason),
    ...[...router.matchAll(/const onlyParent = '([a-z-]+)'/g)].map(([, reason]) => reason),
    ...['icp-hit', 'first-parent-miss'],
  ];
  assert.ok(reasons.length >= 10, reasons.join());
  for (const reason of reasons) assert.match(table, new RegExp(`\`(?:\\.\\.\\.|parent)-${reason}\``));
  const cache = source('cache/serving/object-cache.ts');
  const forwards = new Set(
    [...cache.matchAll(/forwarded(?:: [^,;]*| = [^;]*)/g)].flatMap(
      ([line]) => line.match(/'[a-z-]+'/g) ?? [],
    ),
  );
  for (const quoted of [...forwards, "'uri-miss'", "'vary-miss'"])
    if (quoted !== "'request-'") assert.ok(table.includes(`\`fwd=${quoted.slice(1, -1)}\``), quoted);
  assert.ok(forwards.size >= 4, [...forwards].join());
});

test('the manual of operation lists every metric of a cache', () => {
  const manual = source('docs/operations.md');
  const names = ['cli/cache/metrics.ts', 'cli/cache/peer-metrics.ts'].flatMap((path) => [
    ...source(path).matchAll(/'(garner_cache_[a-z_]+)'/g),
  ]);
  assert.ok(names.length >= 15);
  for (const [, name = ''] of names)
    assert.match(manual, new RegExp(`\\| .*\`${name}(?:\\{[a-z,]+\\})?\`.* \\|`), name);
});
