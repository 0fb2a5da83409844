import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunReport } from '../gatherer/index.ts';
import { runComplaints, runLine, whyLines } from './wording.ts';

const report: RunReport = {
  ...{ added: 0, changed: 1, refreshed: 0, unchanged: 9, deleted: 2, failed: 0 },
  skipped: { 'no more than 10 URLs (gatherer.max-urls)': 5 },
  dropped: { 'no more than 10 URLs (gatherer.max-urls)': 2 },
  failures: [],
  refused: 0,
  refusals: [],
  goneCount: 3,
  gone: [{ url: 'http://x/a', reason: 'status 404', from: 'http://x/' }],
  answers: { 200: 1, 304: 1234, 404: 3 },
  ...{ bytesRead: 2000, ms: 100, objects: 10, complete: true },
};

test('a run says how often the server answered what', () => {
  const line = '10 summaries (1 changed, 9 unchanged, 2 deleted), 2.0 kB read in 0.1 s';
  assert.equal(runLine(report), `${line}; answers: 200 1x, 304 1,234x, 404 3x`);
  assert.equal(runLine({ ...report, answers: {} }), line);
});

test('a run says what a limit cost and which pages are gone', () => {
  assert.deepEqual(runComplaints(report), [
    'left out 5: no more than 10 URLs (gatherer.max-urls); 2 summaries that were held are deleted',
    '3 pages are gone though something leads there: such as http://x/a (status 404, named by http://x/)',
  ]);
});

test('why says when a summary was deleted', () => {
  const why = { url: 'http://x/', included: true, rule: 'on http://x', object: null, met: false };
  const none = { ...why, deletedAt: null, sameAs: null, skipped: null };
  assert.deepEqual(whyLines(none), ['  in: on http://x', '  no summary; no run has come across it']);
  assert.deepEqual(whyLines({ ...none, deletedAt: 0 }), [
    '  in: on http://x',
    '  no summary: it was deleted 1970-01-01T00:00:00.000Z',
  ]);
});
