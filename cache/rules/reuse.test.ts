import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fields, type RawFields } from './fields/fields.ts';
import { defaultPolicy } from './policy.ts';
import { mayServeStaleOnError, onlyIfCached, reuse } from './reuse.ts';
import type { StoredHead } from './stored-head.ts';

const nowMs = Date.UTC(2026, 0, 1);

function head(control: string, more: Partial<StoredHead> = {}): StoredHead {
  return {
    url: 'http://a.example/x',
    status: 200,
    reason: 'OK',
    fields: ['Cache-Control', control],
    requestedAtMs: nowMs,
    receivedAtMs: nowMs,
    selecting: [],
    authorized: false,
    ...more,
  };
}

interface Case {
  /** The request's Cache-Control, or all its fields. */
  readonly asked?: string | RawFields;
  readonly after?: number;
  readonly invalidated?: boolean;
  /** Seconds, as `after` is. */
  readonly purgedAfter?: number;
  readonly fromCache?: boolean;
}

function fieldsOf(asked: string | RawFields | undefined): Fields {
  return new Fields(typeof asked === 'string' ? ['Cache-Control', asked] : (asked ?? []));
}

function judge(
  stored: StoredHead | string,
  { asked, after = 0, invalidated = false, purgedAfter, fromCache = false }: Case = {},
) {
  return reuse({
    requestFields: fieldsOf(asked),
    head: typeof stored === 'string' ? head(stored) : stored,
    invalidated,
    staleSinceMs: purgedAfter === undefined ? undefined : nowMs + purgedAfter * 1000,
    nowMs: nowMs + after * 1000,
    policy: defaultPolicy,
    fromCache,
  });
}

const reported = (...given: Parameters<typeof judge>) => {
  const { kind, rule } = judge(...given);
  return kind === rule ? kind : `${kind}: ${rule}`;
};

test('RFC 9111 4.2: a response is fresh while its lifetime is greater than its age', () => {
  assert.deepEqual(judge('max-age=10', { after: 9.9 }), {
    kind: 'fresh',
    rule: 'fresh',
    ageSeconds: 9,
    ttlSeconds: 1,
  });
  assert.deepEqual(judge('max-age=10', { after: 10 }), {
    kind: 'validate',
    rule: 'stale',
    ageSeconds: 10,
    ttlSeconds: 0,
  });
  assert.equal(reported('max-age=0'), 'validate: stale');
  assert.equal(
    reported(head('', { fields: ['CDN-Cache-Control', 'max-age=3600', 'Age', '7200'] })),
    'validate: stale',
  );
});

test('RFC 9111 4.2.3: a clock that was set back makes nothing younger', () => {
  assert.equal(
    judge(head('', { fields: ['Cache-Control', 'max-age=9', 'Age', '3'] }), { after: -100 }).ageSeconds,
    3,
  );
});

test('RFC 9111 4.4: what was invalidated is validated, however fresh', () => {
  assert.equal(reported('max-age=10', { invalidated: true, asked: 'max-stale' }), 'validate: invalidated');
});

test('what was softly purged is stale from then on, with the windows of what is stale', () => {
  const purged = { purgedAfter: 5, after: 8 };
  assert.equal(reported('max-age=100', purged), 'validate: softly-purged');
  assert.equal(reported('max-age=100, stale-while-revalidate=3', purged), 'stale-while-revalidate');
  assert.equal(reported('max-age=100, stale-while-revalidate=2', purged), 'validate: softly-purged');
  assert.equal(
    reported('max-age=100, stale-while-revalidate=3, must-revalidate', purged),
    'validate: softly-purged',
  );
  assert.equal(reported('max-age=2', purged), 'validate: stale');
  assert.equal(judge('max-age=2', purged).ttlSeconds, -6);
  assert.equal(onError('max-age=100, stale-if-error=3', purged), 'stale-if-error');
  assert.equal(onError('max-age=100, stale-if-error=2', purged), undefined);
  assert.equal(onError('max-age=100, must-revalidate', purged), undefined);
  assert.equal(onError('max-age=100', { ...purged, invalidated: true }), undefined);
});

test('RFC 9111 4.2.3: what came in later than it is now has no known age, and is validated', () => {
  assert.equal(reported('max-age=100', { after: -50 }), 'fresh');
  assert.equal(reported('max-age=100', { after: -90 }), 'validate: clock-set-back');
  assert.equal(onError('max-age=100', { after: -90 }), undefined);
});

test('RFC 9111 5.2.2.4: no-cache is validated before each use, a qualified one is not', () => {
  assert.equal(reported('max-age=10, No-CaChE'), 'validate: response-no-cache');
  assert.equal(
    reported('no-cache, max-age=1', { after: 5, asked: 'max-stale' }),
    'validate: response-no-cache',
  );
  assert.equal(reported('max-age=10, no-cache="Set-Cookie"'), 'fresh');
  assert.equal(reported(head('', { fields: ['CDN-Cache-Control', 'max-age=9, no-cache="A"'] })), 'fresh');
  assert.equal(
    reported(head('', { fields: ['CDN-Cache-Control', 'no-cache', 'Cache-Control', 'max-age=9'] })),
    'validate: response-no-cache',
  );
});

test('RFC 9111 5.2.1.1: a response older than the max-age of the request is validated', () => {
  assert.equal(reported('max-age=100', { after: 5, asked: 'max-age=5' }), 'fresh');
  assert.equal(reported('max-age=100', { after: 6, asked: 'max-age=5' }), 'validate: request-max-age');
  assert.equal(reported('max-age=100', { asked: 'max-age=0' }), 'validate: request-max-age');
  assert.equal(reported('max-age=100', { asked: 'max-age=x' }), 'validate: request-max-age');
  assert.equal(
    reported('max-age=1', { after: 9, asked: 'max-age=5, max-stale=99' }),
    'validate: request-max-age',
  );
});

test('RFC 9111 5.2.1.2: max-stale accepts what is stale, up to its seconds if it has any', () => {
  assert.equal(reported('max-age=1', { after: 6, asked: 'max-stale=5' }), 'stale-allowed: request-max-stale');
  assert.equal(reported('max-age=1', { after: 7, asked: 'max-stale=5' }), 'validate: stale');
  assert.equal(
    reported('max-age=1', { after: 9999, asked: 'max-stale' }),
    'stale-allowed: request-max-stale',
  );
  assert.equal(reported('max-age=1', { after: 2, asked: 'max-stale=x' }), 'validate: stale');
});

test('RFC 9111 5.2.1.3: what does not stay fresh for min-fresh is validated', () => {
  assert.equal(reported('max-age=100', { after: 50, asked: 'min-fresh=50' }), 'fresh');
  assert.equal(reported('max-age=100', { after: 51, asked: 'min-fresh=50' }), 'validate: request-min-fresh');
  assert.equal(reported('max-age=100', { asked: 'min-fresh=' }), 'validate: request-min-fresh');
});

test('RFC 9111 5.2.1.4, 5.4: no-cache asks for validation, and Pragma does only without Cache-Control', () => {
  assert.equal(reported('max-age=100', { asked: 'no-cache' }), 'validate: request-no-cache');
  assert.equal(reported('max-age=100', { asked: ['Pragma', 'x, No-Cache'] }), 'validate: request-pragma');
  assert.equal(
    reported('max-age=100', { asked: ['Pragma', 'no-cache', 'Cache-Control', 'max-stale=1'] }),
    'fresh',
  );
  assert.equal(reported('max-age=100', { asked: ['Pragma', 'other'] }), 'fresh');
});

test('RFC 9111 5.2.1.5: no-store in a request does not keep it from what was stored before', () => {
  assert.equal(reported('max-age=100', { asked: 'no-store' }), 'fresh');
});

test('RFC 9111 5.4: Pragma in a response means nothing', () => {
  assert.equal(reported(head('', { fields: ['Cache-Control', 'max-age=9', 'Pragma', 'no-cache'] })), 'fresh');
});

test('RFC 9111 5.2.2.2, 5.2.2.8: must-revalidate and proxy-revalidate forbid what is stale', () => {
  for (const strict of ['must-revalidate', 'proxy-revalidate']) {
    const control = `max-age=1, stale-while-revalidate=99, ${strict}`;
    assert.equal(reported(control), 'fresh');
    assert.equal(reported(control, { after: 3 }), 'validate: must-revalidate');
    assert.equal(reported(control, { after: 3, asked: 'max-stale' }), 'validate: must-revalidate');
  }
});

test('RFC 9111 5.2.2.10: s-maxage forbids what is stale, but within a window that the same response grants', () => {
  assert.equal(reported('s-maxage=1', { after: 3, asked: 'max-stale' }), 'validate: must-revalidate');
  const control = 's-maxage=1, stale-while-revalidate=4, stale-if-error=9';
  assert.equal(reported(control, { after: 5 }), 'stale-while-revalidate');
  assert.equal(reported(control, { after: 6, asked: 'max-stale' }), 'validate: must-revalidate');
  assert.equal(reported(control, { after: 5, fromCache: true }), 'validate: must-revalidate');
  assert.equal(onError(control, { after: 10 }), 'stale-if-error');
  assert.equal(onError(control, { after: 11 }), undefined);
  assert.equal(onError(control, { after: 11, asked: 'stale-if-error=99' }), undefined);
  assert.equal(onError('s-maxage=1', { after: 2 }), undefined);
});

test('RFC 5861 3: what is stale answers within its stale-while-revalidate, but not to another cache', () => {
  const control = 'max-age=1, stale-while-revalidate=4';
  assert.equal(reported(control, { after: 5 }), 'stale-while-revalidate');
  assert.equal(reported(control, { after: 6 }), 'validate: stale');
  assert.equal(reported(control, { after: 5, fromCache: true }), 'validate: stale-for-a-cache');
  assert.equal(
    reported(control, { after: 5, fromCache: true, asked: 'max-stale' }),
    'stale-allowed: request-max-stale',
  );
  assert.equal(reported(control, { after: 5, asked: 'no-cache' }), 'validate: request-no-cache');
  assert.equal(reported(control, { after: 5, asked: 'min-fresh=1' }), 'validate: request-min-fresh');
  assert.equal(reported('max-age=1, stale-while-revalidate=x', { after: 1 }), 'validate: stale');
  assert.equal(reported('max-age=1, stale-while-revalidate=0', { after: 1 }), 'validate: stale');
  assert.equal(reported('max-age=1, stale-while-revalidate=1', { after: 2 }), 'stale-while-revalidate');
});

test('RFC 9111 5.2.1.7: only-if-cached is seen in any case', () => {
  assert.equal(onlyIfCached(fieldsOf('max-age=259200, Only-If-Cached')), true);
  assert.equal(onlyIfCached(fieldsOf('max-age=1')), false);
  assert.equal(onlyIfCached(fieldsOf([])), false);
});

function onError(
  stored: StoredHead | string,
  { asked, after = 0, invalidated = false, purgedAfter }: Case = {},
  status?: number,
  policy = defaultPolicy,
) {
  return mayServeStaleOnError({
    requestFields: fieldsOf(asked),
    head: typeof stored === 'string' ? head(stored) : stored,
    invalidated,
    staleSinceMs: purgedAfter === undefined ? undefined : nowMs + purgedAfter * 1000,
    nowMs: nowMs + after * 1000,
    policy,
    status,
  });
}

test('RFC 9111 4.2.4: without an origin what is stale answers, as long as the policy says', () => {
  const policy = { ...defaultPolicy, staleIfErrorSeconds: 10 };
  assert.equal(onError('max-age=1', { after: 11 }, undefined, policy), 'disconnected');
  assert.equal(onError('max-age=1', { after: 12 }, undefined, policy), undefined);
  assert.equal(onError('max-age=1', { after: 11 }, 503, policy), 'disconnected');
});

test('RFC 9111 4.2.4: what forbids staleness forbids it also when the origin fails', () => {
  for (const strict of ['must-revalidate', 'proxy-revalidate', 'no-cache']) {
    assert.equal(onError(`max-age=1, stale-if-error=99, ${strict}`, { after: 3 }), undefined, strict);
  }
  assert.equal(onError('max-age=9', { after: 3, invalidated: true }), undefined);
});

test('RFC 5861 4: stale-if-error bounds how stale an answer may be, that of the request before that of the response', () => {
  assert.equal(onError('max-age=1, stale-if-error=9', { after: 10 }), 'stale-if-error');
  assert.equal(onError('max-age=1, stale-if-error=9', { after: 11 }), undefined);
  assert.equal(
    onError('max-age=1, stale-if-error=9', { after: 11, asked: 'stale-if-error=10' }),
    'stale-if-error',
  );
  assert.equal(onError('max-age=1, stale-if-error=9', { after: 5, asked: 'stale-if-error=0' }), undefined);
  assert.equal(onError('max-age=1, stale-if-error=x', { after: 5 }), undefined);
});

test('RFC 5861 4: only 500, 502, 503 and 504 are errors that a stored response may replace', () => {
  for (const status of [500, 502, 503, 504])
    assert.equal(onError('max-age=1', { after: 3 }, status), 'disconnected');
  for (const status of [200, 403, 404, 501, 505])
    assert.equal(onError('max-age=1', { after: 3 }, status), undefined);
  for (const status of [500, 503, 599])
    assert.equal(onError(head('max-age=1', { status }), { after: 3 }, 503), undefined);
  assert.equal(onError(head('max-age=1', { status: 404 }), { after: 3 }, 503), 'disconnected');
});

test('RFC 9111 5.2.1: a client that wants validation gets no stale answer for it', () => {
  for (const asked of ['no-cache', 'max-age=2', 'max-age=0', 'min-fresh=5']) {
    assert.equal(onError('max-age=1', { after: 3, asked }), undefined, asked);
  }
  assert.equal(onError('max-age=1', { after: 3, asked: ['Pragma', 'no-cache'] }), undefined);
  assert.equal(onError('max-age=1', { after: 3, asked: 'no-cache, stale-if-error=9' }), 'stale-if-error');
  assert.equal(onError('max-age=9', { after: 3, asked: 'max-age=1' }), undefined);
});

test('another policy makes another judgement of the same head', () => {
  const stored = head('max-age=100');
  const judged = (maxFreshSeconds: number) =>
    reuse({
      requestFields: fieldsOf([]),
      head: stored,
      invalidated: false,
      nowMs: nowMs + 5000,
      policy: { ...defaultPolicy, maxFreshSeconds },
      fromCache: false,
    }).kind;
  assert.deepEqual([judged(10), judged(2), judged(10)], ['fresh', 'validate', 'fresh']);
});

const directive = fc.tuple(
  fc.constantFrom(
    'max-age',
    'max-stale',
    'min-fresh',
    'no-cache',
    'no-store',
    'stale-if-error',
    's-maxage',
    'must-revalidate',
    'proxy-revalidate',
    'stale-while-revalidate',
    'public',
  ),
  fc.option(fc.nat(40), { nil: undefined }),
);
const control = fc
  .array(directive, { maxLength: 4 })
  .map((all) => all.map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join(', '));

test('whatever both sides say, nothing forbidden is used stale, and nothing stale without leave', () => {
  fc.assert(
    fc.property(control, control, fc.nat(60), fc.boolean(), (said, asked, after, fromCache) => {
      const judged = judge(said, { asked, after, fromCache });
      const strict = /must-revalidate|proxy-revalidate|no-cache/.test(said);
      if (judged.ttlSeconds <= 0) {
        assert.notEqual(judged.kind, 'fresh');
        if (strict) assert.equal(judged.kind, 'validate');
        if (judged.kind === 'stale-allowed') assert.match(asked, /max-stale/);
        if (judged.kind === 'stale-while-revalidate') assert.match(said, /stale-while-revalidate=[1-9]/);
        if (strict) assert.equal(onError(said, { asked, after }), undefined);
      }
      if (/no-cache/.test(asked) || /no-cache/.test(said)) assert.equal(judged.kind, 'validate');
      if (fromCache) assert.notEqual(judged.kind, 'stale-while-revalidate');
    }),
    { numRuns: 1000 },
  );
});

test('the older a stored response is, the less it may be used', () => {
  const order = ['fresh', 'stale-while-revalidate', 'stale-allowed', 'validate'];
  fc.assert(
    fc.property(control, control, fc.nat(60), fc.nat(60), (said, asked, one, other) => {
      const early = judge(said, { asked, after: Math.min(one, other) });
      const late = judge(said, { asked, after: Math.max(one, other) });
      assert.ok(order.indexOf(early.kind) <= order.indexOf(late.kind));
    }),
    { numRuns: 1000 },
  );
});
