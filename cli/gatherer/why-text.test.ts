import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyText } from './why-text.ts';

const why = {
  ...{ url: 'http://x/a.zip', included: true, rule: 'below http://x/', object: null, deletedAt: null },
  ...{ met: true, sameAs: null, skipped: null },
};

test('a person reads where a document is published, what is in it and what was left out', () => {
  assert.deepEqual(
    whyText({ ...why, publishedAs: 'https://y/a.zip', parts: 2, left: { 'type Font': 3 } }).split('\n'),
    [
      '  read as http://x/a.zip, published as https://y/a.zip',
      '  in: below http://x/',
      '  no summary',
      '  it was opened; 2 documents in it with a summary',
      '  the last look left out 3: type Font',
    ],
  );
  const part = { ...why, url: 'http://x/a.zip#b', within: 'http://x/a.zip', left: { 'type Font': 1 } };
  assert.deepEqual(whyText(part).split('\n'), [
    '  it lies in http://x/a.zip, which is',
    '  in: below http://x/',
    '  no summary',
    '  the last look into that left out 1: type Font',
  ]);
});
