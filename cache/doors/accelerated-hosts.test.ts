import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceleratedHosts } from './accelerated-hosts.ts';

test('a host that is named outweighs the origin for every host', () => {
  const hosts = acceleratedHosts([
    'http://Inner:80/base/',
    'WWW.example=https://10.0.0.5:8443',
    'www.example:81=http://b',
  ]);
  assert.equal(hosts.originFor('any.example'), 'http://inner/base');
  assert.equal(hosts.originFor(''), 'http://inner/base');
  assert.equal(hosts.originFor('www.example'), 'https://10.0.0.5:8443');
  assert.equal(hosts.originFor('www.example:8080'), 'https://10.0.0.5:8443');
  assert.equal(hosts.originFor('www.example:81'), 'http://b');
  assert.equal(hosts.namedOriginFor('any.example'), undefined);
  assert.equal(acceleratedHosts(['a=http://b']).originFor('c'), undefined);
});

test('only a host with its own origin is sent to it, as the operator wrote it', () => {
  const entries = ['http://o', 'a.example=http://x', 'b.example=http://y', 'c.example=http://y'];
  const { forwardedHost } = acceleratedHosts(entries);
  const asked = ['a.example', 'a.example:81', 'b.example', 'c.example', 'd.example', ''];
  const none = [undefined, undefined, undefined, undefined];
  assert.deepEqual(asked.map(forwardedHost), ['a.example', 'a.example', ...none]);
});

test('of two origins, one below the other, neither gets a host', () => {
  const entries = [
    'a.example=http://o',
    'b.example=http://o/base',
    'c.example=http://o/base/x',
    'd.example=http://ox',
  ];
  const { forwardedHost } = acceleratedHosts(entries);
  assert.deepEqual(['a.example', 'b.example', 'c.example', 'd.example'].map(forwardedHost), [
    undefined,
    undefined,
    undefined,
    'd.example',
  ]);
});

test('an invalid host is refused', () => {
  for (const host of ['', 'a b', 'http://a', 'a/b', '*', 'a:b', '.', 'a,b', '*a.example'])
    assert.throws(() => acceleratedHosts(['http://o'], { hosts: [host] }), { code: 'CACHE_HOST' }, host);
  const { originFor } = acceleratedHosts(['http://o'], { hosts: ['*.A.example', '[::1]', '[::2]:81'] });
  const taken = ['x.a.example', 'a.example', 'xa.example', '[::1]', '[::1]:8', '[::2]:81', '[::2]', ''];
  assert.deepEqual(
    taken.filter((host) => originFor(host) !== undefined),
    ['x.a.example', 'a.example', '[::1]', '[::1]:8', '[::2]:81'],
  );
});

test('an invalid origin is refused', () => {
  for (const entries of [
    ['x'],
    ['ftp://a'],
    ['http://u@a'],
    ['http://a/?b'],
    ['a='],
    ['http://a', 'http://b'],
    [''],
  ])
    assert.throws(() => acceleratedHosts(entries), { code: 'CACHE_ORIGIN' }, entries.join());
});
