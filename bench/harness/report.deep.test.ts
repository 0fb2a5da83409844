import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interleaved } from './harness.ts';
import { formatNumber, markdown, plainText, type Report, replaceMarked } from './report.ts';
import { Results } from './results.ts';

const results = () =>
  new Results({
    rate: { section: 'Speed', what: 'pages | second', unit: 'pages/s', goal: { atLeast: 100 } },
    bytes: { section: 'Size', what: 'bytes of a round', unit: 'B', goal: { below: 200 } },
    peer: { section: 'Size', what: 'bytes of the peer', unit: 'kB' },
  });

function reportOf(measured: ReturnType<typeof results>): Report {
  return {
    ...{ benchmark: 'main', command: 'npm run bench', date: '2026-01-02T03:04:05.000Z', rounds: 3 },
    ...{ quick: false, seconds: 61.4, load: [0.1, 2], input: ['Input: three pages.'] },
    machine: {
      ...{
        processor: 'Abacus',
        cores: 2,
        memoryBytes: 2 ** 30,
        os: 'Debian',
        kernel: '6.1',
        node: '20.20.2',
      },
      ...{ libraries: { level: '10.0.0' }, peers: { nginx: '1.22.1' } },
    },
    rows: measured.rows(),
    skipped: measured.skipped(),
  };
}

test('a report names its command, machine and input, the figures, the missed goals and the skipped figures', () => {
  const measured = results();
  for (const rate of [90, 80, 120]) measured.add('rate', rate);
  for (const bytes of [89, 89]) measured.add('bytes', bytes);
  measured.skip(['peer'], 'SKIPPED, nginx is not installed');
  const text = markdown(reportOf(measured));
  assert.equal(
    text,
    `- \`npm run bench\`: 3 rounds in 61 s, 2026-01-02T03:04:05.000Z; load average 0.10 before, 2.00 after.
- Abacus, 2 cores, 1 GiB; Debian, kernel 6.1; Node 20.20.2.
- level 10.0.0; peers: nginx 1.22.1.
- Input: three pages.

### Speed

| figure | median | spread | goal |
|---|--:|---|---|
| pages \\| second | 90 pages/s | 80 to 120 | ≥ 100: **missed** |

### Size

| figure | median | spread | goal |
|---|--:|---|---|
| bytes of a round | 89 B | 2× the same | < 200: met |

### Skipped

- bytes of the peer: SKIPPED, nginx is not installed
`,
  );
  const forTerminal = plainText(reportOf(measured));
  assert.match(forTerminal, /≥ 100: MISSED/);
  assert.match(forTerminal, /SKIPPED bytes of the peer/);
});

test('a figure that was neither measured nor skipped is an error', () => {
  const measured = results();
  measured.add('rate', 1);
  assert.throws(() => measured.rows(), /bytes was neither measured nor skipped/);
  assert.throws(() => measured.add('rate', Number.NaN), TypeError);
});

test('numbers have three significant digits and no exponent', () => {
  const written = [0, 0.0123456, 0.5, 1.005, 12.34, 99.96, 123.4, 1941, 1234567.8].map(formatNumber);
  assert.deepEqual(written, ['0', '0.0123', '0.5', '1', '12.3', '100', '123', '1,941', '1,234,568']);
});

test('a report replaces the text between its markers and nothing else', () => {
  const page =
    'a\n<!-- bench:main -->\nold\n<!-- /bench:main -->\nb\n<!-- bench:soak -->\n<!-- /bench:soak -->\n';
  const once = replaceMarked(page, 'main', 'new\n');
  assert.equal(once, page.replace('old', 'new'));
  assert.equal(replaceMarked(once, 'main', 'new\n'), once);
  assert.throws(() => replaceMarked('no markers', 'main', 'new'), TypeError);
});

test('the order of cases rotates, and each case is first in one round', async () => {
  const order: string[] = [];
  const cases = ['a', 'b', 'c'].map((name) => ({
    name,
    run: (round: number) => void order.push(name + round),
  }));
  const { signal } = new AbortController();
  await interleaved(cases, { rounds: 3, onStep: () => {}, signal });
  assert.equal(order.join(' '), 'a0 b0 c0 b1 c1 a1 c2 a2 b2');
  await assert.rejects(interleaved(cases, { rounds: 1, onStep: () => {}, signal: AbortSignal.abort() }));
});
