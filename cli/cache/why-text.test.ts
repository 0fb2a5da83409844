import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '../../cache/index.ts';
import { whyText } from './why-text.ts';

const rule = (name: string, advice: string | null = null) =>
  ({
    name,
    section: 'RFC 9111 0',
    sentence: `it was ${name}`,
    advice,
  }) as Explanation['entries'][number]['rule'];

const entry: Explanation['entries'][number] = {
  ...{ status: 200, overTls: false, storedAtMs: 0, ageSeconds: 90, lifetimeSeconds: 60 },
  ...{ lifetimeFrom: 'rule', lifetimeRule: rule('ttl-rule', 'cache.ttl-rules'), lifetimeOtherwise: null },
  ...{ invalidated: false, staleSinceMs: null, contentBytes: 10, part: null, tags: [], selecting: [] },
  ...{ chosen: true, use: 'validate', rule: rule('stale', 'a longer lifetime') },
};

test('what decided is followed by what would change it, which is said but once', () => {
  const miss = {
    atMs: 0,
    method: 'GET',
    url: 'http://o/',
    status: 200,
    outcome: 'miss',
    detail: null,
    error: null,
    brokenOff: null,
    overTls: false,
  } as const;
  const recent = [1, 2].map(() => ({
    ...miss,
    rule: rule('stale', 'a longer lifetime'),
    storedBy: rule('stored'),
  }));
  const text = whyText({ url: 'http://o/', entries: [entry], trouble: null, purged: null, recent });
  assert.match(
    text,
    /lifetime {2}60 s by a rule of cache\.ttl-rules, age 90 s: stale for 30 s\n {12}to change this: cache\.ttl-rules$/m,
  );
  assert.match(text, /it was stale \[RFC 9111 0; stale\]\n {12}to change this: a longer lifetime$/m);
  assert.equal(text.match(/a longer lifetime/g)?.length, 1);
  assert.equal(text.match(/it was stale/g)?.length, 3);
});

test('a lifetime that a setting bounds is reported with what it would be without', () => {
  const line = (lifetimeFrom: typeof entry.lifetimeFrom, lifetimeOtherwise: typeof entry.lifetimeOtherwise) =>
    /lifetime {2}(.*), age/.exec(
      whyText({
        ...{ url: 'http://o/', trouble: null, purged: null, recent: [] },
        entries: [{ ...entry, lifetimeSeconds: 5, lifetimeFrom, lifetimeOtherwise }],
      }),
    )?.[1];
  assert.equal(
    line('rule-max', { lifetimeSeconds: 600, from: 'max-age' }),
    '5 s by cache.ttl-rules (max 5 s); the server said 600 s',
  );
  assert.equal(
    line('max-fresh', { lifetimeSeconds: 60, from: 'heuristic' }),
    '5 s by cache.max-fresh; the guess by Last-Modified was 60 s',
  );
});

test('what nobody asked for and is not stored is reported as that', () => {
  const text = whyText({ url: 'http://o/', entries: [], trouble: null, purged: null, recent: [] });
  assert.match(text, /stored {4}nothing\n {2}lately {4}no request for it is remembered/);
});

test('a purge is reported with how it named the URL', () => {
  const reported = { url: 'http://o/a', entries: [], trouble: null, recent: [] };
  const purge = { atMs: 0, by: 'url', prefix: null, soft: false } as const;
  assert.match(whyText({ ...reported, purged: purge }), /^ {2}purged {4}by its URL, last at 1970-01-01T00/m);
  const prefixed = { ...purge, by: 'prefix', prefix: 'http://o/', soft: true } as const;
  assert.match(
    whyText({ ...reported, purged: prefixed }),
    /^ {2}purged {4}softly, with http:\/\/o\/, last at/m,
  );
});
