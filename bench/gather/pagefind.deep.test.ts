import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuReported } from '../harness/timed-program.ts';
import { pagesReported } from './pagefind.ts';

test('CPU is user and system time of the line that bash prints last', () => {
  assert.equal(cpuReported('some warning\nCPU 1.250 0.500\n'), 1.75);
  assert.throws(() => cpuReported('no times'), TypeError);
});

test('the number of pages is the one that pagefind reports', () => {
  assert.equal(
    pagesReported('Total: \n  Indexed 1 language\n  Indexed 1941 pages\n  Indexed 9 words\n'),
    1941,
  );
  assert.throws(() => pagesReported('nothing'), TypeError);
});
