import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../kernel/index.ts';
import { CookieJar, splitSetCookie } from './cookie-jar.ts';

const jarOf = (domains: readonly string[] = [], more: object = {}) => {
  const clock = new ManualClock(Date.UTC(2024, 0, 1));
  return Object.assign(new CookieJar({ clock, domains, ...more }), { clock });
};

test('a cookie goes back to the host that set it, below its path, and nowhere else', () => {
  const jar = jarOf();
  jar.take('https://a.example.org/shop/cart', 'id=1');
  jar.take('https://a.example.org/shop/cart', 'all=2; Path=/');
  assert.equal(jar.header('https://a.example.org/shop/x'), 'id=1; all=2');
  assert.equal(jar.header('https://a.example.org/shopping'), 'all=2');
  assert.equal(jar.header('http://a.example.org/'), 'all=2');
  for (const other of [
    'https://example.org/',
    'https://b.example.org/',
    'https://x.a.example.org/',
    'https://evil.org/',
  ])
    assert.equal(jar.header(other), undefined);
});

test('a domain counts only when the operator typed it: no public suffix, no stranger’s parent', () => {
  const jar = jarOf(['example.org']);
  jar.take('https://a.example.org/', 'good=1; Domain=.example.org');
  jar.take('https://a.example.org/', 'own=1; Domain=a.example.org');
  jar.take('https://a.example.org/', 'org=1; Domain=org');
  jar.take('https://a.example.org/', 'other=1; Domain=b.example.org');
  jar.take('https://a.co.uk/', 'uk=1; Domain=co.uk');
  jar.take('https://evilexample.org/', 'evil=1; Domain=example.org');
  assert.equal(jar.header('https://b.example.org/'), 'good=1');
  assert.equal(jar.header('https://a.example.org/'), 'own=1; good=1');
  assert.equal(jar.header('https://x.a.example.org/'), 'good=1');
  assert.equal(jar.header('https://b.co.uk/'), undefined);
  assert.equal(jar.size, 2);
});

test('Secure, prefixes, dates, Max-Age, deletion and replacement', () => {
  const jar = jarOf();
  const url = 'https://h.org/';
  jar.take('http://h.org/', 's=1; Secure');
  jar.take(url, 'sec=1; Secure, __Host-a=1; Secure; Path=/, __Host-b=1; Secure; Path=/x, __Secure-c=1');
  assert.equal(jar.header(url), 'sec=1; __Host-a=1');
  assert.equal(jar.header('http://h.org/'), undefined);
  jar.take(
    url,
    'sec=2; Max-Age=10, old=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT, new=1; Expires=Tue, 02-Jan-2024 00:00:00 GMT',
  );
  assert.equal(jar.header(url), '__Host-a=1; sec=2; new=1');
  jar.clock.advance(10_000);
  assert.equal(jar.header(url), '__Host-a=1; new=1');
  jar.clock.advance(48 * 3600 * 1000);
  assert.equal(jar.header(url), '__Host-a=1');
  jar.take(url, '__Host-a=1; Secure; Path=/; Max-Age=0');
  assert.equal(jar.header(url), undefined);
});

test('the jar is bounded, and nothing in it can write another header', () => {
  const jar = jarOf([], { perHost: 3, hosts: 2 });
  for (let at = 0; at < 10; at += 1) jar.take('https://h.org/', `c${at}=1`);
  assert.equal(jar.header('https://h.org/'), 'c7=1; c8=1; c9=1');
  for (const host of ['a', 'b', 'c']) jar.take(`https://${host}.org/`, 'x=1');
  assert.equal(jar.header('https://a.org/'), undefined);
  jar.take('https://h.org/', `big=${'x'.repeat(5000)}`);
  assert.ok(!jar.header('https://h.org/')?.includes('big'));
  assert.ok(splitSetCookie('a=1,'.repeat(10_000)).length <= 50);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const one = jarOf(['h.org']);
      one.take('https://h.org/', text);
      assert.match(one.header('https://h.org/') ?? 'none', /^[\x20-\x7e]+$/);
    }),
  );
});
