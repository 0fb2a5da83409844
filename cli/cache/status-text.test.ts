import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CacheReport } from '../../cache/index.ts';
import { statusText } from './status-text.ts';

const report = {
  ...{
    role: 'cache',
    name: 'edge',
    origin: 'http://a.internal',
    origins: [],
    proxy: false,
    addresses: [],
    now: 0,
  },
  ...{ answers: null, hottest: [], largest: [], neighbours: [], children: [] },
  store: {
    ...{ entries: 0, contentBytes: 0, diskBytes: 0, diskBudgetBytes: 0, memoryBytes: 0, trouble: null },
    ...{ memoryBudgetBytes: 0, evicted: 0, damaged: 0, refused: 0 },
  },
} as unknown as CacheReport;

test('one origin is reported beside the name, several each with the host that it is for', () => {
  const a = { host: null, url: 'http://a.internal' };
  const text = (origins: CacheReport['origins']) => statusText({ ...report, origins });
  assert.match(text([a]), /^ {2}name {6}edge \(accelerator of http:\/\/a\.internal\)$/m);
  assert.doesNotMatch(text([a]), /before/);
  const both = text([{ host: 'b.example', url: 'http://b.internal:81' }, a]);
  assert.match(both, /^ {2}name {6}edge \(accelerator of 2 origins\)$/m);
  assert.match(
    both,
    /^ {2}before {4}http:\/\/b\.internal:81 for b\.example\n {2}before {4}http:\/\/a\.internal$/m,
  );
  assert.match(text([]), /^ {2}name {6}edge$/m);
});

const store = { entries: 1, contentBytes: 5, diskBytes: 0, diskBudgetBytes: 0, memoryBytes: 9 };

const busy = {
  ...{ role: 'cache', name: 'edge', origin: null, origins: [], proxy: true, addresses: [], now: 60 },
  answers: {
    ...{ since: 0, requests: 5, bytes: 100, bytesFromHere: 0, hitRatio: 0, byteHitRatio: 0, minutes: [] },
    ...{
      outcomes: { miss: 3, failed: 1, refused: 1 },
      errors: { CACHE_SILENT: 1, CACHE_LOOP: 1 },
      brokenOff: 2,
    },
    ...{ refused: { CACHE_FORBIDDEN: 4, CACHE_BUSY: 1 }, tunnels: { opened: 7, open: 2 } },
    latency: { fromHere: null, others: null },
  },
  store: { ...store, memoryBudgetBytes: 10, evicted: 0, damaged: 0, refused: 0, trouble: null },
  ...{ hottest: [], largest: [], neighbours: [], children: [] },
} as unknown as CacheReport;

test('errors, answers that broke off, what doors refused and tunnels are reported', () => {
  const text = statusText(busy);
  assert.match(text, /outcomes {2}miss 3, failed 1, refused 1, broke off 2, CACHE_SILENT 1, CACHE_LOOP 1$/m);
  assert.match(text, /^ {2}refused {3}CACHE_FORBIDDEN 4, CACHE_BUSY 1, at the door$/m);
  assert.match(text, /^ {2}tunnels {3}7 opened, 2 open$/m);
});
