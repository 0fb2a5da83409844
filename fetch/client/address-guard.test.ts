import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { fetchErrors } from '../errors.ts';
import { AddressGuard, isLoopbackHost, isPublicAddress } from './address-guard.ts';

const refused = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.168.1.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.255'],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:7f00:1'],
  ...['::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2002:c0a8:101::', '2001::1'],
  ...['2001:db8::1', '3fff::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
  ...['4000::1', 'not an address', ''],
];
const accepted = [
  ...['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.0.1.1'],
  ...['198.17.0.1', '198.20.0.1', '223.255.255.255', '2606:4700::1111', '2001:4860:4860::8888'],
  ...['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1'],
];

test('private, loopback, link-local, multicast and reserved addresses are not public', () => {
  for (const address of refused) assert.equal(isPublicAddress(address), false, address);
  for (const address of accepted) assert.equal(isPublicAddress(address), true, address);
});

test('every odd spelling of a private literal is refused as a URL', () => {
  const guard = new AddressGuard([]);
  const spellings = [
    ...[
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
    ],
    ...['http://0/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/', 'http://[0:0:0:0:0:0:0:1]/'],
    ...['http://１２７.0.0.1/', 'http://127.0.0.1./', 'http://[::ffff:a9fe:a9fe]/', 'https://10.0.0.1:8443/'],
  ];
  for (const spelling of spellings)
    assert.throws(
      () => guard.check(new URL(spelling)),
      (error) => isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS),
      spelling,
    );
  guard.check(new URL('http://1.1.1.1/'));
  guard.check(new URL('http://example.org/'));
});

test('a host of the operator is allowed, with that port only', () => {
  const guard = new AddressGuard(['http://127.0.0.1:8080/docs/', '10.0.0.5', 'intranet:81', '::1', 'h:80']);
  assert.equal(guard.isTyped('127.0.0.1', 8080), true);
  assert.equal(guard.isTyped('127.0.0.1', 8081), false);
  assert.equal(guard.isTyped('127.0.0.1', 80), false);
  assert.equal(guard.isTyped('10.0.0.5', 80) && guard.isTyped('10.0.0.5', 443), true);
  assert.equal(guard.isTyped('10.0.0.5', 22), false);
  assert.equal(guard.isTyped('intranet', 81) && guard.isTyped('[::1]', 80), true);
  assert.equal(guard.isTyped('intranet', 80), false);
  assert.equal(guard.isTyped('h', 80), true);
  assert.equal(guard.isTyped('h', 443), false);
  assert.throws(
    () => new AddressGuard(['http://']),
    (error) => isGarnerError(error, fetchErrors.FETCH_BAD_URL),
  );
});

test('a refused private address names the setting that allows it', () => {
  const refusedBy = (guard: AddressGuard) => {
    try {
      guard.check(new URL('http://10.0.0.5:81/'));
    } catch (error) {
      if (isGarnerError(error)) return error;
    }
    throw new Error('it was not refused');
  };
  const { message, hint } = refusedBy(new AddressGuard([], undefined, 'registry.allow-hosts'));
  assert.match(message, /is not on the list of allowed hosts \(registry\.allow-hosts\)\.$/);
  assert.match(hint, /add 10\.0\.0\.5:81 to registry\.allow-hosts/);
  assert.match(refusedBy(new AddressGuard([])).hint, /add 10\.0\.0\.5:81 to fetch\.allow-hosts/);
});

test('a name is refused when any of its addresses is private', async () => {
  const answers = (addresses: string[]) =>
    new AddressGuard([], (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  const resolve = (guard: AddressGuard) =>
    new Promise((done, fail) => {
      guard.guardedLookup('name.test', { all: true }, (error, found) => (error ? fail(error) : done(found)));
    });
  assert.deepEqual(await resolve(answers(['1.1.1.1'])), [{ address: '1.1.1.1', family: 4 }]);
  for (const addresses of [['127.0.0.1'], ['1.1.1.1', '::1'], []])
    await assert.rejects(resolve(answers(addresses)), (error) =>
      isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS),
    );
});

test('this machine is recognised by its spellings', () => {
  for (const host of ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '::1'])
    assert.equal(isLoopbackHost(host), true, host);
  for (const host of ['10.0.0.1', 'localhost.example.org', 'example.org', '[::2]'])
    assert.equal(isLoopbackHost(host), false, host);
});
