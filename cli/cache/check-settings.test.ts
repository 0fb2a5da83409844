import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOfCache } from '../config/all-settings.ts';
import { type EffectiveConfig, effectiveConfig } from '../config/config.ts';
import { refuseUnusedTls } from '../config/tls-files.ts';
import { cacheAccess, cacheAllowHosts, cacheFronts, purgeSources } from './access.ts';
import { acceleratedOrigins } from './origins.ts';
import { configuredPeers } from './peers.ts';
import { cachePolicy } from './policy.ts';
import { cacheSizes } from './sizes.ts';

const configOf = (yaml: string): EffectiveConfig =>
  effectiveConfig([settingsOfCache], { file: { name: 'garner.yaml', text: yaml } });

test('times by URL are read with their units, and the first pattern that matches is the first rule', () => {
  const { ttlRules, negativeSeconds, heuristicFraction } = cachePolicy(
    configOf(`cache:
  negative-ttl: 30s
  heuristic-percent: 20
  ttl-rules:
    - { pattern: '\\.png$', min: 1h, max: 7d }
    - { pattern: 'legacy', override: 0 }
`),
  );
  assert.equal(negativeSeconds, 30);
  assert.equal(heuristicFraction, 0.2);
  const equal = '{ cache: { ttl-rules: [{ pattern: a, min: 60s, max: 1m, default: 1m }] } }';
  assert.equal(cachePolicy(configOf(equal)).ttlRules[0]?.maxSeconds, 60);
  assert.deepEqual(ttlRules, [
    { pattern: /\.png$/, minSeconds: 3600, maxSeconds: 604_800 },
    { pattern: /legacy/, overrideSeconds: 0 },
  ]);
});

test('an accelerator obeys what is said to a CDN, a proxy alone does not', () => {
  const targeted = (yaml: string) => cachePolicy(configOf(yaml)).targetedFields;
  assert.deepEqual(targeted('cache: { origin: ["http://o.example"] }'), ['cdn-cache-control']);
  assert.deepEqual(targeted('cache: { origin: ["http://o.example"], proxy: true }'), ['cdn-cache-control']);
  assert.deepEqual(targeted('cache: { proxy: true }'), []);
});

test('origins are for every host or for one, and a path alone is at the one for every host', () => {
  const origins = acceleratedOrigins(
    configOf('cache: { origin: ["a.example=http://a.internal:81/", "http://o.internal:80"] }'),
  );
  assert.equal(origins?.main, 'http://o.internal:80');
  assert.deepEqual(origins?.reported, [
    { host: 'a.example', url: 'http://a.internal:81' },
    { host: null, url: 'http://o.internal:80' },
  ]);
  assert.equal(origins?.hosts.originFor('a.example'), 'http://a.internal:81');
  assert.equal(origins?.hosts.originFor('b.example'), 'http://o.internal');
  assert.equal(acceleratedOrigins(configOf('cache: {}')), undefined);
});

test('peers are read with their ports and options', () => {
  const peers = configuredPeers(
    configOf('cache: { parent: ["p.example:3128:3130,weight=2"], sibling: ["s.example:80"] }'),
  );
  assert.deepEqual(peers, [
    { role: 'parent', host: 'p.example', port: 3128, icpPort: 3130, weight: 2 },
    { role: 'sibling', host: 's.example', port: 80 },
  ]);
});

test('servers in front are on this machine, or where they are said to be', () => {
  const believed = (yaml: string) =>
    ['127.0.0.1', '::ffff:127.0.0.1', '192.0.2.10', '::ffff:192.0.2.10'].map(cacheFronts(configOf(yaml)));
  assert.deepEqual(believed('cache: {}'), [true, true, false, false]);
  assert.deepEqual(believed('cache: { fronts: [192.0.2.0/24] }'), [false, false, true, true]);
  assert.throws(() => believed('cache: { fronts: [front.example] }'), { code: 'CLI_BAD_SETTING' });
});

test('the first rule of access that fits decides, and a proxy is for this machine when none does', async () => {
  const rules = cacheAccess(
    configOf(`cache:
  access:
    - { allow: false, hosts: [.internal.example] }
    - { allow: true, from: [192.0.2.0/24], ports: 80 }
`),
  );
  const admits = (from: string, host: string, port = 80) =>
    rules.admits({ from, method: 'GET', host, port }, 'proxy');
  assert.equal(await admits('192.0.2.7', 'www.example'), true);
  assert.equal(await admits('192.0.2.7', 'a.internal.example'), false);
  assert.equal(await admits('192.0.2.7', 'www.example', 81), false);
  assert.equal(await admits('198.51.100.1', 'www.example'), false);
  assert.equal(await admits('127.0.0.1', 'www.example'), true);
});

test('what cannot be read is refused with its place', () => {
  const refused = (yaml: string, read: (config: EffectiveConfig) => unknown, message: RegExp) =>
    assert.throws(
      () => read(configOf(yaml)),
      (error: unknown) => {
        assert.match((error as Error).message, message);
        assert.match((error as { data: { at: string } }).data.at, /garner\.yaml:\d/);
        return true;
      },
    );
  const ttl = (rule: string) => `cache:\n  ttl-rules:\n    - ${rule}\n`;
  refused(ttl('{ min: 1h }'), cachePolicy, /ttl-rules\[0\] has no pattern/);
  refused(ttl('{ pattern: "(" , min: 1h }'), cachePolicy, /no regular expression/);
  refused(ttl('{ pattern: a }'), cachePolicy, /no default, min, max or override/);
  refused(ttl('{ pattern: a, least: 1h }'), cachePolicy, /least, which is no part/);
  refused(ttl('{ pattern: a, min: soon }'), cachePolicy, /min soon, which is no time/);
  const max = 'which is more than its max 10s';
  refused(ttl('{ pattern: a, min: 2h, max: 10s }'), cachePolicy, new RegExp(`min 2h, ${max}`));
  refused(ttl('{ pattern: a, default: 11s, max: 10s }'), cachePolicy, new RegExp(`default 11s, ${max}`));
  refused('cache: { parent: [x] }', configuredPeers, /holds "x", which is no peer/);
  refused(
    'cache: { allow-hosts: ["a b"] }',
    cacheAllowHosts,
    /cache\.allow-hosts holds "a b", which is not a host/,
  );
  refused('cache: { never-direct: true }', configuredPeers, /there is no parent/);
  refused('cache: { pass-host: true }', acceleratedOrigins, /pass-host needs an origin/);
  refused('cache: { disk: 10 }', cacheSizes, /cache\.disk is 10B, which is too small.*minimum is 1MiB/);
  refused('cache: { memory: 1KiB }', cacheSizes, /cache\.memory is 1KiB, which is too small/);
  refused('cache: { memory: 0, disk: 0 }', cacheSizes, /cache\.memory is 0B, which is too small/);
  const served = 'cache: { origin: ["http://o.example"], pass-host: true';
  refused(`${served}, proxy: true }`, acceleratedOrigins, /pass-host is true in a proxy/);
  refused(`${served}, hosts: ["http://a"] }`, acceleratedOrigins, /"http:\/\/a" is not a host/);
  refused('cache: { origin: ["ftp://o.example"] }', acceleratedOrigins, /cache\.origin cannot be used/);
  const access = (rule: string) => `cache:\n  access:\n    - ${rule}\n`;
  refused(access('{ from: [all] }'), cacheAccess, /does not say allow/);
  refused(access('{ allow: true, to: [a] }'), cacheAccess, /to, which is no part/);
  refused(access('{ allow: true, from: [[a]] }'), cacheAccess, /from, which is no list/);
  refused(access('{ allow: true, from: [nowhere/99] }'), cacheAccess, /cache\.access cannot be used/);
  const noWord = /access\[0\] has "bla", which is no address and none of all, loopback, peers/;
  refused(access('{ allow: true, from: [192.0.2.1, bla] }'), cacheAccess, noWord);
  refused(access('{ allow: true, from: [lopback] }'), cacheAccess, /did you mean loopback\?/);
  refused(access('{ allow: true, from: [token] }'), cacheAccess, /"token", which is no address/);
  refused('cache: { purge-access: [everybody] }', purgeSources, /"everybody", .* none of .* token$/);
  refused('cache: { purge-access: [tokens] }', purgeSources, /did you mean token\?/);
  assert.equal(
    purgeSources(configOf('cache: { purge-access: [all, peers, token, "::1", lan.example, .lan] }')).length,
    6,
  );
  refused('cache: { tls-key: k.pem }', refuseUnusedTls, /tls-key is set, but there is no port for TLS/);
  refused(
    'cache: { tls-certificate: c.pem }',
    refuseUnusedTls,
    /tls-certificate is set, but there is no port/,
  );
  assert.equal(refuseUnusedTls(configOf('cache: {}')), undefined);
  refused(access('{ allow: true, ports: [web] }'), cacheAccess, /cache\.access cannot be used/);
});
