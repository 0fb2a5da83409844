import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factorsOf } from './factors.ts';

const stream = { wire: 4, soif: 3, gzip: 2, round: 0.5 };
const siteStream = { wire: 8, soif: 6, gzip: 4, round: 0.5 };

test('factors use the cheaper FTP, and a site is all its files against its own stream', () => {
  const object = { ftpNew: 9, ftpBare: 2, ftpKept: 0.25, httpKept: 0.01, local: 0.5 };
  assert.deepEqual(factorsOf({ object, stream, siteStream }), {
    localFtp: 4,
    keptFtp: 8,
    streamOne: 0.5,
    streamOneGzip: 1,
    siteWire: 575,
    siteGzip: 1150,
    siteRound: 9200,
    siteHttpWire: 2.875,
    siteHttpGzip: 5.75,
    siteHttpRound: 46,
  });
});

test('a cost without a measurement has no factor', () => {
  assert.deepEqual(factorsOf({ object: { local: 1 }, stream, siteStream }), {});
});
