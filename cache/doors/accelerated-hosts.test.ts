import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceleratedHosts } from './index.ts';

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

test('what is no origin is refused', () => {
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
