import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunReport } from '../../gatherer/events.ts';
import { runComplaints, runLine } from './run-lines.ts';

const report: RunReport = {
  ...{ added: 0, changed: 1, refreshed: 0, unchanged: 9, deleted: 2, failed: 0 },
  skipped: { 'no more than 10 URLs (gatherer.max-urls)': 5 },
  firstSkipped: {},
  dropped: { 'no more than 10 URLs (gatherer.max-urls)': 2 },
  failures: [],
  refused: 0,
  reduced: 0,
  reductions: [],
  refusals: [],
  goneCount: 3,
  gone: [{ url: 'http://x/a', reason: 'status 404', from: 'http://x/' }],
  answers: { 200: 1, 304: 1234, 404: 3 },
  mapped: { local: 0, network: {} },
  waited: {},
  ...{ bytesRead: 2000, ms: 100, objects: 10, complete: true },
};

test('a run says how often the server answered what', () => {
  const line = '10 summaries (1 changed, 9 unchanged, 2 deleted), 2.0 kB read in 0.1 s';
  assert.equal(runLine(report), `${line}; answers: 200 1x, 304 1,234x, 404 3x`);
  assert.equal(runLine({ ...report, answers: {} }), line);
});

test('a run says how long it waited for its load budget, and what was read from disk', () => {
  const line = runLine({
    ...report,
    answers: {},
    mapped: { local: 1200, network: { 'no such file': 1, 'it has a query': 2 } },
    waited: { 'gatherer.cpu-share': 2500, 'gatherer.request-rate': 400 },
  });
  const end = 'of mapped URLs 1,200 read from disk, 3 requested; waited 2.5 s for gatherer.cpu-share';
  assert.ok(line.endsWith(`in 0.1 s; ${end}, 0.4 s for gatherer.request-rate`), line);
});

test('a run says why a mapped URL was requested, and which document was left packed by which code', () => {
  const lines = runComplaints({
    ...report,
    ...{ skipped: {}, gone: [], goneCount: 0, refused: 7 },
    refusals: [{ url: 'http://x/a.zip#b', code: 'UNNEST_RATIO', reason: 'it swells.' }],
    mapped: { local: 0, network: { 'no such file': 1, 'it has a query': 2 } },
  });
  assert.deepEqual(lines, [
    'left packed http://x/a.zip#b: it swells. [UNNEST_RATIO]',
    'and 6 more were left packed',
    'requested 2 URLs from the server though gatherer.local-mapping has a folder: it has a query',
    'requested 1 URL from the server though gatherer.local-mapping has a folder: no such file',
  ]);
});

test('a run says what a limit cost and which links are broken', () => {
  const rule = 'no more than 10 URLs (gatherer.max-urls)';
  const firstSkipped = { [rule]: ['http://x/1', 'http://x/2', 'http://x/3', 'http://x/4'] };
  const line = `left out 5: ${rule}; 2 stored summaries deleted`;
  const more =
    'garner gatherer run --list lists everything left out; garner gatherer why URL explains one URL';
  assert.deepEqual(runComplaints({ ...report, firstSkipped }).slice(0, 2), [
    `${line}; such as http://x/1, http://x/2, http://x/3`,
    more,
  ]);
  const two = {
    ...report,
    skipped: { [rule]: 2 },
    dropped: {},
    firstSkipped: { [rule]: ['http://x/1', 'http://x/2'] },
  };
  assert.deepEqual(runComplaints(two).slice(0, 1), [`left out 2: ${rule}; http://x/1, http://x/2`]);
  assert.ok(!runComplaints(two).includes(more));
  assert.deepEqual(runComplaints(report), [
    line,
    more,
    '3 broken links, such as http://x/a (status 404), linked from http://x/',
  ]);
});

test('a document that cannot be read is named once', () => {
  const failures = [
    { url: 'file:///srv/a.txt', reason: 'EACCES: permission denied' },
    { url: 'http://x/b', reason: 'http://x/b answered with status 500.' },
    { url: 'http://x/', reason: 'Nothing can be gathered from http://x/.' },
  ];
  const quiet = { ...report, skipped: {}, gone: [], goneCount: 0 };
  assert.deepEqual(runComplaints({ ...quiet, failed: 3, failures }), [
    'could not read file:///srv/a.txt: EACCES: permission denied',
    'could not read: http://x/b answered with status 500.',
    'could not read http://x/: Nothing can be gathered from http://x/.',
  ]);
});
