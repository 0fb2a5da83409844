import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBelow, readPublishers } from './publishers.ts';

test('a URL is below a prefix by its normal form and at a border of the path', () => {
  const holds = (prefix: string, url: string) => {
    const [publisher] = readPublishers([`${prefix} office`]);
    return publisher?.prefixes.some((one) => isBelow(url, one));
  };
  for (const [prefix, url] of [
    ['https://a.example', 'https://a.example/x'],
    ['https://a.example/docs', 'https://a.example/docs'],
    ['https://a.example/docs', 'https://a.example/docs/x'],
    ['https://a.example/docs', 'https://a.example/docs?page=2'],
    ['https://a.example/docs/', 'HTTPS://A.example:443/docs/x'],
    ['urn:isbn:', 'urn:isbn:0451450523'],
  ] as const)
    assert.ok(holds(prefix, url), `${prefix} holds ${url}`);
  for (const [prefix, url] of [
    ['https://a.example', 'https://a.example.evil.example/x'],
    ['https://a.example', 'https://a.example@evil.example/'],
    ['https://a.example', 'https://user@a.example/x'],
    ['https://a.example', 'https://a.example:8443/x'],
    ['https://a.example', 'http://a.example/x'],
    ['https://a.example/docs', 'https://a.example/docs-of-others/x'],
    ['https://a.example/docs/', 'https://a.example/docs/../private'],
    ['https://a.example/docs/', 'https://a.example/docs/%2e%2e/private'],
    ['https://a.example/docs/', 'https://a.example/docs/..\\private'],
    ['https://a.example/docs/', '/docs/x'],
  ] as const)
    assert.ok(!holds(prefix, url), `${prefix} does not hold ${url}`);
});

test('publishers have several prefixes, a token or a key, and may be blocked', () => {
  const [id, key] = ['i'.repeat(22), 'k'.repeat(43)];
  assert.deepEqual(
    readPublishers([
      'https://a.example/ the harbour office',
      `https://b.example ${id}.${key}`,
      'https://c.example/ the harbour office',
      'blocked old',
    ]),
    [
      {
        ...{ name: 'the harbour office', isBlocked: false },
        prefixes: ['https://a.example/', 'https://c.example/'],
      },
      {
        ...{ name: `${id}.${key}`, server: { id, key }, isBlocked: false },
        prefixes: ['https://b.example/'],
      },
      { name: 'old', prefixes: [], isBlocked: true },
    ],
  );
  for (const line of ['', 'https://a.example/', 'office https://a.example/', 'https://a.example/?q=1 office'])
    assert.throws(() => readPublishers([line]), TypeError, line);
});
