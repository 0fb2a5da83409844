import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { made, missing } from '../testing/sample-archives.ts';

// Runs in a process of its own, so that the memory of the tests does not count.
const program = `
import { readFileSync } from 'node:fs';
const { isMember, UnnestBudget, unnest } = await import(process.argv[1]);
const bytes = readFileSync(0);
const before = process.memoryUsage().rss;
let members = 0;
let total = 0;
const budget = new UnnestBudget(bytes.length, JSON.parse(process.argv[2]));
for await (const found of unnest('GNUCompressedTar', bytes, 'a.tar.gz', budget))
  if (isMember(found)) {
    members++;
    total += found.bytes.length;
  }
const grown = process.resourceUsage().maxRSS * 1024 - before;
process.stdout.write(JSON.stringify({ members, total, grown }));
`;

interface Measured {
  readonly members: number;
  readonly total: number;
  /** Max growth of the process, in bytes. */
  readonly grown: number;
}

function measured(bytes: Uint8Array, limits: object): Measured {
  const door = new URL('./index.js', import.meta.url).href;
  const output = execFileSync(
    process.execPath,
    ['--input-type=module', '--max-semi-space-size=8', '-e', program, '--', door, JSON.stringify(limits)],
    { input: bytes, maxBuffer: 1024 * 1024 },
  );
  if (process.env.GARNER_TEST_VERBOSE !== undefined) process.stderr.write(`${output}\n`);
  return JSON.parse(output.toString()) as Measured;
}

const mebibyte = 1024 * 1024;

for (const compression of ['gzip -1', 'xz -1', 'zstd -1'])
  test(`a tar of 128 MiB in ${compression} is never held whole`, async (t) => {
    const [tool = ''] = compression.split(' ');
    const reason = missing(['tar', tool]);
    if (reason !== undefined) return t.skip(reason);
    const bytes = made(
      `for n in $(seq 1 32); do cat t/sub/blob; head -c 4150000 /dev/zero; done | split -b 4194304 - part;
       tar cf - part* | ${compression} -c > out`,
    );
    const { members, total, grown } = measured(bytes, { maxRatio: 100_000 });
    assert.ok(members >= 31, String(members));
    assert.ok(total > 125 * mebibyte, String(total));
    assert.ok(grown < 128 * mebibyte, `grew by ${Math.round(grown / mebibyte)} MiB`);
  });

test('a gibibyte of zeros ends early, in little memory', async (t) => {
  const reason = missing(['tar', 'gzip']);
  if (reason !== undefined) return t.skip(reason);
  // The same quarter four times, each in a gzip member of its own, without the end of an archive.
  const bytes = made(
    'truncate -s 256M z; tar cf - z | head -c 268435968 | gzip -1c > one; cat one one one one > out',
  );
  const { total, grown } = measured(bytes, { maxTotalBytes: 256 * mebibyte });
  assert.ok(total <= 256 * mebibyte, String(total));
  assert.ok(grown < 128 * mebibyte, `grew by ${Math.round(grown / mebibyte)} MiB`);
});
