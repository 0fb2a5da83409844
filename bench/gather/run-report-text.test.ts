import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunReport } from '../../gatherer/index.ts';
import { reasonsOf, runWords } from './run-report-text.ts';

const report: RunReport = {
  ...{ added: 1234, changed: 0, refreshed: 0, unchanged: 0, deleted: 0, dropped: {}, ms: 5, objects: 1234 },
  firstSkipped: {},
  ...{ skipped: { 'a link': 2, hidden: 1500 }, goneCount: 0, gone: [], answers: {}, bytesRead: 2_500_000 },
  ...{ failed: 0, failures: [], refused: 3, complete: true },
  reduced: 0,
  reductions: [],
  ...{ mapped: { local: 0, network: {} }, waited: {} },
  refusals: [
    { url: 'file:///a', code: 'A', reason: 'encrypted (give a password)' },
    { url: 'file:///b', code: 'B', reason: 'cannot open /b/c.zip now' },
    { url: 'file:///c', code: 'A', reason: 'encrypted' },
  ],
};

test('the report of a run names the most frequent rule first', () => {
  assert.deepEqual(runWords(report), [
    'First run: 1,234 objects, 2.5 MB read.',
    'Skipped 1,502: 1,500 hidden; 2 a link.',
    'Refused inside documents 3; the first: 2 encrypted; 1 cannot open … now.',
  ]);
  assert.equal(reasonsOf([]), '');
});
