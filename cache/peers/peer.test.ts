import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Peer } from './peer.ts';
import { PeerSet } from './peer-set.ts';
import { parsePeer } from './peer-text.ts';
import { SourceList } from './source-list.ts';

function speaking(changed?: (state: string) => void): Peer {
  const peer = new Peer({ role: 'parent', host: 'p.example', port: 3128, icpPort: 3130 }, changed);
  peer.addresses = ['192.0.2.1'];
  return peer;
}

test('RFC 2187 5.3: a peer is dead after twenty questions without an answer, and alive with the next answer', () => {
  const peer = speaking();
  for (let n = 0; n < 20; n++) {
    assert.equal(peer.dead, false);
    assert.ok(peer.askable(n));
    peer.queried(n);
    peer.unanswered();
  }
  assert.equal(peer.status().state, 'dead');
  assert.equal(peer.askable(19 + 9_999), false);
  assert.ok(peer.askable(19 + 10_000), 'asked again after ten seconds');
  peer.heard('miss', 5, 0);
  assert.equal(peer.status().state, 'up');
  assert.ok(peer.askable(20));
});

test('a peer that left one question unanswered is asked on, but not waited for until it answers', () => {
  const peer = speaking();
  assert.ok(peer.expected);
  peer.queried(0);
  peer.unanswered();
  assert.equal(peer.expected, false);
  assert.ok(peer.askable(1));
  assert.equal(peer.status().state, 'silent');
  peer.heard('denied', 3, 0);
  assert.ok(peer.expected);
});

test('RFC 2187 5.3: more than 95 of 100 answers DENIED, and it is asked no more; not with fewer answers', () => {
  const peer = speaking();
  for (let n = 0; n < 99; n++) peer.heard('denied', 1, 0);
  assert.ok(peer.askable(0));
  peer.heard('denied', 1, 0);
  assert.equal(peer.askable(0), false);
  assert.equal(peer.status().state, 'denying');
  const mild = speaking();
  for (let n = 0; n < 200; n++) mild.heard(n % 20 === 0 ? 'miss' : 'denied', 1, 0);
  assert.ok(mild.askable(0), '95 in 100 are not more than 95');
});

test('each change between up and unusable is reported once', () => {
  const reported: string[] = [];
  const peer = speaking((state) => reported.push(state));
  for (let n = 0; n < 25; n++) peer.unanswered();
  peer.heard('miss', 1, 0);
  peer.fetched('failed', 0);
  peer.fetched('failed', 0);
  peer.reached();
  peer.unanswered();
  for (let n = 0; n < 200; n++) peer.heard('denied', 1, 0);
  assert.deepEqual(reported, ['dead', 'up', 'down', 'up', 'denying']);
});

test('a peer that is silent three times in a row is reported, and its next answer too, once a minute', () => {
  const reported: string[] = [];
  const peer = speaking((state) => reported.push(state));
  const beSilent = (times: number, nowMs: number) => {
    for (let n = 0; n < times; n++) {
      peer.queried(nowMs);
      peer.unanswered();
    }
  };
  beSilent(2, 0);
  peer.heard('miss', 1, 0);
  assert.deepEqual(reported, []);
  for (let second = 0; second < 60; second++) {
    beSilent(4, second * 1000);
    peer.heard('miss', 1, second * 1000);
  }
  assert.deepEqual(reported, ['silent', 'up']);
  beSilent(20, 60_000);
  peer.heard('miss', 1, 61_000);
  assert.deepEqual(reported.slice(2), ['silent', 'dead', 'up']);
});

test('a lame parent is reported once, and as up when it has fetched without a failure for a minute', () => {
  const reported: string[] = [];
  const peer = speaking((state) => reported.push(state));
  for (let second = 0; second < 300; second += 30) {
    peer.fetched('lame', second * 1000);
    peer.fetched('answered', second * 1000 + 15_000);
  }
  assert.deepEqual(reported, ['lame']);
  peer.fetched('answered', 340_000);
  peer.fetched('failed', 341_000);
  peer.reached();
  assert.deepEqual(reported, ['lame', 'up', 'down', 'up']);
});

test('a peer whose host has no address is of an unknown name until it has one, and stays known from then on', () => {
  const reported: string[] = [];
  const peer = new Peer({ role: 'parent', host: 'p.example', port: 3128 }, (state) => reported.push(state));
  peer.resolved([]);
  assert.equal(peer.status().state, 'unknown name');
  peer.resolved(['192.0.2.1']);
  peer.resolved([]);
  assert.equal(peer.status().state, 'up');
  assert.deepEqual(reported, ['unknown name', 'up']);
});

test('a peer that the origin was quicker than is silent only when its time is over', () => {
  const peer = speaking();
  peer.overdue();
  assert.equal(peer.expected, false);
  assert.equal(peer.status().state, 'up');
  peer.unanswered();
  assert.equal(peer.status().state, 'silent');
});

test('a parent bound to domains is used for those and nothing else', () => {
  const set = new PeerSet();
  const edu = new Peer({ role: 'parent', host: 'edu', port: 1, domains: ['.edu', '!ftp.mit.edu'] });
  const any = new Peer({ role: 'parent', host: 'any', port: 1 });
  const beside = new Peer({ role: 'sibling', host: 'beside', port: 1 });
  for (const peer of [edu, any, beside]) assert.ok(set.add(peer));
  const names = (host: string) => {
    const { bound, free } = set.forHost(host);
    return { bound: bound.map(({ name }) => name), free: free.map(({ name }) => name) };
  };
  const free = ['any:1', 'beside:1'];
  assert.deepEqual(names('www.mit.edu'), { bound: ['edu:1'], free });
  assert.deepEqual(names('EDU'), { bound: ['edu:1'], free });
  assert.deepEqual(names('ftp.mit.edu'), { bound: [], free });
  assert.deepEqual(names('notedu'), { bound: [], free });
  edu.fetched('failed', 0);
  assert.deepEqual(names('www.mit.edu'), { bound: [], free });
});

test('two peers at one place, or of one name, are not taken', () => {
  const set = new PeerSet();
  assert.ok(set.add(new Peer({ role: 'parent', host: 'a', port: 1 })));
  assert.equal(set.add(new Peer({ role: 'sibling', host: 'A', port: 1 })), false);
  assert.equal(set.add(new Peer({ role: 'sibling', host: 'b', port: 2, name: 'a:1' })), false);
});

test('a peer is read as people write it', () => {
  assert.deepEqual(parsePeer('parent', 'Cache.Example:3128:3130'), {
    role: 'parent',
    host: 'cache.example',
    port: 3128,
    icpPort: 3130,
  });
  assert.deepEqual(
    parsePeer('parent', '[::1]:80:0,hash,weight=3,domain=.edu,domain=!x.edu,name=up,htcp=4827,key=k'),
    {
      role: 'parent',
      host: '::1',
      port: 80,
      hash: 'rendezvous',
      weight: 3,
      domains: ['.edu', '!x.edu'],
      name: 'up',
      htcpPort: 4827,
      htcpKey: 'k',
    },
  );
  for (const bad of [
    '',
    'host',
    'host:0',
    'host:65536',
    'host:1:2:3',
    '[::g]:1',
    'a b:1',
    'h:1,what',
    'h:1,weight=0',
  ])
    assert.ok('fault' in parsePeer('parent', bad), bad);
  assert.ok('fault' in parsePeer('sibling', 'h:1,hash'), 'siblings are not hashed over');
  const fault = (role: 'parent' | 'sibling') => JSON.stringify(parsePeer(role, 'h:1,what'));
  assert.match(fault('parent'), /the options are name=NAME, .*may-clear, domain=DOMAIN, hash, carp"/);
  assert.match(fault('sibling'), /the options are name=NAME, .*may-clear"/);
});

test('parsing any text as a peer does not throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void parsePeer('parent', text)));
});

test('a list of sources holds its addresses and networks and no others', () => {
  const list = SourceList.of(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32', 'loopback']);
  assert.ok(list);
  for (const inside of ['10.1.2.3', '192.0.2.7', '2001:db8::9', '127.0.0.9', '::1'])
    assert.ok(list.has(inside), inside);
  for (const out of ['11.0.0.1', '192.0.2.8', '2001:db9::', 'x', '']) assert.equal(list.has(out), false, out);
  assert.ok(SourceList.of(['all'])?.has('8.8.8.8'));
  for (const bad of ['host.example', '10.0.0.0/33', '10.0.0.0/8/8', ''])
    assert.equal(SourceList.of([bad]), undefined);
});
