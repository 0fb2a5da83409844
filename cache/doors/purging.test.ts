import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PurgeTarget } from '../storage/model/entry.ts';
import { codeOf, exchange, statusOf, testDoor, text } from '../testing/raw-client.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';
import { Purging } from './purging.ts';

const accelerator = acceleratedHosts(['http://o.example/base'], { hosts: ['a.example'] });

/** A door where these may purge, and its purges. */
async function purgingDoor(from: readonly string[]) {
  const purged: [PurgeTarget, boolean][] = [];
  const purging = new Purging({
    ...{ from, isPeer: (address) => address === '192.0.2.1' },
    knows: async (token) => token === 'right-token',
    purge: async (target, { soft }) => {
      purged.push([target, soft]);
      return purged.length;
    },
  });
  const served = await testDoor(() => text('x'), { accelerator, purging });
  return {
    ...{ purged, served },
    ask: (lines = '', target = '/a?b', host = 'a.example') =>
      exchange(served.door, `PURGE ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${lines}\r\n`),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}

test('PURGE forgets what a GET of the same would get', async () => {
  await using door = await purgingDoor(['loopback']);
  const said = await door.ask();
  assert.equal(statusOf(said), 200);
  assert.ok(said.endsWith('{"purged":1,"soft":false}\n'));
  assert.equal(statusOf(await door.ask('', '/news/*')), 200);
  assert.equal(statusOf(await door.ask('Soft-Purge: 1\r\n')), 200);
  assert.equal(statusOf(await door.ask('Fastly-Key: k\r\nFastly-Soft-Purge: 1\r\n')), 200);
  const url = 'http://o.example/base/a?b';
  assert.deepEqual(door.purged, [
    [{ url }, false],
    [{ prefix: 'http://o.example/base/news/' }, false],
    [{ url }, true],
    [{ url }, true],
  ]);
  assert.equal(statusOf(await door.ask('', '/a', 'other.example')), 421);
  assert.equal(door.purged.length, 4);
  assert.equal(door.served.requests.length, 0);
});

test('RFC 9110 15.5.6: PURGE is refused when it is switched off, and never goes to the origin', async () => {
  await using closed = await purgingDoor([]);
  await using bare = await testDoor(() => text('x'), { accelerator });
  const answers = [
    await closed.ask('Authorization: Bearer right-token\r\n'),
    await exchange(bare.door, 'PURGE /a HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n'),
  ];
  for (const said of answers) {
    assert.equal(statusOf(said), 405);
    assert.match(said, /\r\nAllow: GET, HEAD, /);
    assert.equal(codeOf(said), 'CACHE_PURGE_OFF');
  }
  assert.deepEqual([closed.purged.length, closed.served.requests.length, bare.requests.length], [0, 0, 0]);
  assert.equal(closed.served.door.refused.get('CACHE_PURGE_OFF'), 1);
});

test('a refused PURGE gets the reason, and a hint where a token would help', async () => {
  await using others = await purgingDoor(['192.0.2.0/24', 'peers']);
  for (const lines of ['', 'Authorization: Bearer right-token\r\n']) {
    const said = await others.ask(lines);
    assert.equal(statusOf(said), 403);
    assert.equal(codeOf(said), 'CACHE_PURGE_FORBIDDEN');
  }
  await using tokens = await purgingDoor(['token']);
  for (const lines of ['', 'Authorization: Bearer wrong-token\r\n', 'Authorization: Basic right-token\r\n']) {
    const said = await tokens.ask(lines);
    assert.equal(statusOf(said), 401);
    assert.match(said, /\r\nWWW-Authenticate: Bearer\r\n/);
  }
  assert.equal(statusOf(await tokens.ask('Authorization: Bearer right-token\r\n')), 200);
  assert.deepEqual([others.purged.length, tokens.purged.length], [0, 1]);
});

test('an address that other clients come by too does not purge', async () => {
  await using door = await purgingDoor(['loopback', 'token']);
  for (const field of [
    'Via: 1.1 front',
    'X-Forwarded-For: 192.0.2.7',
    'Forwarded: for=192.0.2.7',
    'X-Real-IP: 192.0.2.7',
    'X-Forwarded-Proto: https',
    'X-Forwarded-Host: a.example',
    'x_forwarded_for: 192.0.2.7',
    'Client-IP: 192.0.2.7',
    'True-Client-IP: 192.0.2.7',
    'X-Client-Cert: x',
    'CF-Ray: 1',
    'Fastly-FF: 1',
    'CDN-Loop: front',
  ]) {
    assert.equal(statusOf(await door.ask(`${field}\r\n`)), 401, field);
    // Nor does it when the field is said to be for this connection alone.
    const hidden = `Connection: ${field.split(':')[0]}\r\n${field}\r\n`;
    assert.equal(statusOf(await door.ask(hidden)), 401, hidden);
  }
  assert.equal(statusOf(await door.ask('Via: 1.1 front\r\nAuthorization: Bearer right-token\r\n')), 200);
  assert.equal(door.purged.length, 1);
});
