import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyLines, whyText } from './why-text.ts';

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
      '  it was unnested; 2 summaries of documents in it',
      '  when it was last unnested, 3 were left out: type Font',
    ],
  );
  const part = { ...why, url: 'http://x/a.zip#b', within: 'http://x/a.zip', left: { 'type Font': 1 } };
  assert.deepEqual(whyText(part).split('\n'), [
    '  it is inside http://x/a.zip, which is',
    '  in: below http://x/',
    '  no summary',
    '  when that was last unnested, 1 was left out: type Font',
  ]);
  const page = whyText({ ...why, left: { 'the page asks not to be indexed (robots noindex)': 1 } });
  assert.match(page, /left out when it was last read: the page asks not to be indexed/);
  assert.doesNotMatch(page, /unnested/);
});

test('why says when a summary was deleted', () => {
  const why = { url: 'http://x/', included: true, rule: 'on http://x', object: null, met: false };
  const none = { ...why, deletedAt: null, sameAs: null, skipped: null };
  assert.deepEqual(whyLines(none), ['  in: on http://x', '  no summary; no run has found it']);
  assert.deepEqual(whyLines({ ...none, deletedAt: 0 }), [
    '  in: on http://x',
    '  no summary; it was deleted 1970-01-01T00:00:00.000Z',
  ]);
});

test('why repeats no reason, and says what the last run did where that is more', () => {
  const why = { url: 'http://x/', included: true, rule: 'on http://x', object: null, deletedAt: null };
  const met = { ...why, sameAs: null, skipped: null, met: true };
  assert.deepEqual(whyLines({ ...met, reason: 'status 404' }), [
    '  in: on http://x',
    '  the last run: status 404',
    '  no summary',
  ]);
  const filtered = { ...met, included: false, rule: 'a filter' };
  assert.deepEqual(whyLines({ ...filtered, reason: 'a filter' }), ['  out: a filter', '  no summary']);
  assert.deepEqual(whyLines({ ...filtered, met: false }), ['  out: a filter', '  no summary']);
  const left = { 'type Text': 1 };
  assert.equal(whyLines({ ...met, reason: 'type Text', left }).length, 2);
  const none = { ...met, met: false };
  assert.equal(
    whyLines({ ...none, looked: true })[1],
    '  no summary; when that was last unnested, no summary of this was made',
  );
  assert.match(whyLines({ ...none, unnamed: true })[1] ?? '', /more URLs than it recorded/);
});
