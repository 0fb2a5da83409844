import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessList, type NameLookup } from './access-list.ts';
import { linesErrors } from './errors.ts';

const addresses: Readonly<Record<string, readonly string[]>> = {
  'broker.example.org': ['192.0.2.7', '2001:db8::7'],
  'www.example.org': ['192.0.2.8'],
};
const names: Readonly<Record<string, readonly string[]>> = {
  '192.0.2.8': ['WWW.example.org.'],
  // The owner of this address gives it a name of somebody else.
  '203.0.113.1': ['broker.example.org', 'evil.example.net'],
};
const lookup: NameLookup = {
  addressesOf: async (name) => addresses[name] ?? [],
  namesOf: async (address) => names[address] ?? [],
};

async function admitted(list: AccessList): Promise<string[]> {
  const callers = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.5',
    '10.1.2.3',
    '192.0.2.7',
    '192.0.2.8',
    '203.0.113.1',
    '2001:db8::7',
  ];
  const found: string[] = [];
  for (const caller of [...callers, '', 'x']) if (await list.admits(caller)) found.push(caller);
  return found;
}

test('addresses, networks, names and all; denied outweighs allowed', async () => {
  const of = (allow: string[], deny: string[] = []) => admitted(new AccessList(allow, deny, lookup));
  assert.deepEqual(await of([]), []);
  assert.deepEqual(await of(['loopback']), ['127.0.0.1', '::1', '::ffff:127.0.0.5']);
  assert.deepEqual(await of(['10.0.0.0/8', '2001:db8::/32']), ['10.1.2.3', '2001:db8::7']);
  assert.deepEqual(await of(['broker.example.org']), ['192.0.2.7', '2001:db8::7']);
  assert.deepEqual(await of(['Example.org']), ['192.0.2.8']);
  assert.deepEqual(await of(['.example.net']), []);
  assert.equal((await of(['all'])).length, 8);
  assert.deepEqual(await of(['all'], ['loopback', 'example.org', '203.0.113.0/24', '::/0']), [
    '10.1.2.3',
    '192.0.2.7',
  ]);
  assert.deepEqual(await of(['127.0.0.1'], ['all']), []);
  assert.deepEqual(await of(['::/0']), ['::1', '2001:db8::7']);
});

test('an invalid entry is an error', () => {
  for (const entry of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '1.2.3',
    '::/129',
    'a b',
    '-x',
    '*',
    '10.0.0.0/8/9',
    'ho$t',
  ])
    assert.throws(() => new AccessList([entry]), { code: linesErrors.LINES_ACCESS.code }, entry);
});
