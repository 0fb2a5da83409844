import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { parseRobots, robotsMaxBytes } from './robots-rules.ts';

const read = (text: string, token = 'garner') => parseRobots(new TextEncoder().encode(text), token);
const allows = (text: string, path: string, token?: string) => read(text, token).decide(path)?.allow ?? true;

test('groups: by name before *, merged, case-insensitive names, versions are ignored', () => {
  const text = `User-agent: *\nDisallow: /\n\nuser-agent: Garner/1.0 (x)\nuser-agent: other\nDisallow: /a\n
USER-AGENT: GARNER\ndisallow: /b # why\n`;
  assert.equal(allows(text, '/c'), true);
  assert.equal(allows(text, '/a'), false);
  assert.equal(allows(text, '/b/x'), false);
  assert.equal(allows(text, '/c', 'stranger'), false);
  assert.equal(allows(text, '/b', 'other'), true);
  assert.equal(read(text).agent, 'garner');
  assert.equal(read(text, 'stranger').agent, '*');
  assert.equal(read('User-agent: garnerbot\nDisallow: /').agent, undefined);
});

test('records of other kinds do not end a group', () => {
  const text = `User-agent: a\nSitemap: http://h/s.xml\nCrawl-delay: 2.5\nUser-agent: b\nnonsense\nDisallow: /x\n`;
  assert.equal(allows(text, '/x', 'a'), false);
  assert.equal(allows(text, '/x', 'b'), false);
  assert.deepEqual(read(text).sitemaps, ['http://h/s.xml']);
  assert.equal(read(text, 'a').crawlDelaySeconds, 2.5);
});

test('the longest match wins, and Allow wins a tie', () => {
  const text =
    'User-agent: *\nDisallow: /p\nAllow: /p/open\nDisallow: /p/open/not\nAllow: /t\nDisallow: /t\n';
  assert.equal(allows(text, '/p/x'), false);
  assert.equal(allows(text, '/p/open/x'), true);
  assert.equal(allows(text, '/p/open/not'), false);
  assert.equal(allows(text, '/t'), true);
  assert.deepEqual(read(text).decide('/p/open/x'), { allow: true, pattern: '/p/open', line: 3 });
  assert.equal(allows('User-agent: *\nDisallow:\n', '/x'), true);
  assert.equal(allows('User-agent: *\nDisallow: /*\nAllow: /$\n', '/'), true);
});

test('wildcards and the end mark', () => {
  const cases: readonly (readonly [pattern: string, path: string, matches: boolean])[] = [
    ['/*.gif$', '/a/b.gif', true],
    ['/*.gif$', '/a/b.gif?x', false],
    ['/*.gif', '/a/b.gif?x', true],
    ['/a*b*c$', '/aXbXcXc', true],
    ['/a*b*c$', '/aXcXb', false],
    ['/ab*ba$', '/aba', false],
    ['/fish*', '/fish.html', true],
    ['/fish', '/Fish', false],
    ['/a**b', '/axb', true],
    ['*/private', '/x/private/y', true],
    ['/a$b', '/a$b', true],
    ['/a%24', '/a$', true],
    ['/a%2A', '/a*', true],
    ['/a%2A', '/aX', false],
    ['/$', '/', true],
    ['/$', '/x', false],
  ];
  for (const [pattern, path, matches] of cases)
    assert.equal(allows(`User-agent: *\nDisallow: ${pattern}`, path), !matches, `${pattern} ${path}`);
});

test('escapes compare as in RFC 9309 2.2.2', () => {
  const same: readonly (readonly [string, string])[] = [
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/~u', '/%7Eu'],
  ];
  for (const [one, other] of same) {
    assert.equal(allows(`User-agent: *\nDisallow: ${one}$`, other), false, `${one} ${other}`);
    assert.equal(allows(`User-agent: *\nDisallow: ${other}$`, one), false, `${other} ${one}`);
  }
  assert.equal(allows('User-agent: *\nDisallow: /a/b', '/a%2Fb'), true);
});

test('byte order mark, any line ends, and the size limit', () => {
  assert.equal(allows('\ufeffUser-agent: *\rDisallow: /x\r\n', '/x'), false);
  const head = 'User-agent: *\nDisallow: /early\n';
  const filler = `${'#'.repeat(99)}\n`.repeat(Math.ceil((robotsMaxBytes - head.length) / 100) - 1);
  const before = head + filler;
  const cutLine = `Disallow: /${'x'.repeat(robotsMaxBytes - before.length - 11)}`;
  const long = `${before}${cutLine}yyy\nDisallow: /late\n`;
  assert.equal(allows(long, '/early'), false);
  assert.equal(allows(long, '/late'), true);
  assert.equal(allows(long, `/${'x'.repeat(robotsMaxBytes)}`), true);
});

test('any bytes are accepted, and matching is quick for any pattern', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.webPath(), (bytes, path) => {
      const rules = parseRobots(bytes, 'garner');
      assert.ok([true, false, undefined].includes(rules.decide(path)?.allow));
    }),
  );
  await assertCpuMs(2000, () => {
    assert.equal(allows(`User-agent: *\nDisallow: /${'*a'.repeat(100_000)}$`, `/${'a'.repeat(8000)}b`), true);
    assert.equal(allows(`User-agent: *\nDisallow: /${'a*'.repeat(50)}b`, `/${'a'.repeat(8000)}`), true);
  });
});

// The definition in the plainest form: a pattern as a backtracking match over its characters.
function naive(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  if (pattern === '$') return path === '';
  if (pattern[0] === '*') {
    for (let skip = 0; skip <= path.length; skip += 1)
      if (naive(pattern.slice(1), path.slice(skip))) return true;
    return false;
  }
  return path !== '' && path[0] === pattern[0] && naive(pattern.slice(1), path.slice(1));
}

test('any rules over a small alphabet decide as the definition does', () => {
  const piece = fc.constantFrom('a', 'b', '/', '*');
  const pattern = fc
    .tuple(fc.array(piece, { maxLength: 8 }), fc.boolean())
    .map(([parts, end]) => `/${parts.join('')}${end ? '$' : ''}`);
  const path = fc
    .array(fc.constantFrom('a', 'b', '/'), { maxLength: 12 })
    .map((parts) => `/${parts.join('')}`);
  const rule = fc.record({ allow: fc.boolean(), pattern });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), path, (rules, requested) => {
      const lines = rules.map((one) => `${one.allow ? 'Allow' : 'Disallow'}: ${one.pattern}`);
      const matching = rules.filter((one) => naive(one.pattern, requested));
      const longest = Math.max(...matching.map((one) => one.pattern.length));
      const deciding = matching.filter((one) => one.pattern.length === longest);
      const expected = deciding.length === 0 || deciding.some((one) => one.allow);
      assert.equal(allows(`User-agent: *\n${lines.join('\n')}`, requested), expected, lines.join('; '));
    }),
    { numRuns: 2000 },
  );
});
