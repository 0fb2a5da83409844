import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccessQuestion, type AccessRule, AccessRules } from './access.ts';

const question: AccessQuestion = { from: '127.0.0.1', method: 'GET', host: 'www.example.org', port: 80 };
const ask = (
  rules: readonly AccessRule[],
  more: Partial<AccessQuestion>,
  form: 'accelerator' | 'proxy' = 'proxy',
) => new AccessRules(rules, (address) => address === '192.0.2.9').admits({ ...question, ...more }, form);

test('where no rule fits, an accelerator is for everybody and a proxy for this machine and its peers', async () => {
  for (const [from, proxied] of [
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['192.0.2.9', true],
    ['192.0.2.1', false],
    ['', false],
  ] as const) {
    assert.equal(await ask([], { from }, 'proxy'), proxied, from);
    assert.equal(await ask([], { from }, 'accelerator'), true, from);
  }
});

test('the first rule that fits decides', async () => {
  const rules = [
    { allow: false, from: ['192.0.2.7'] },
    { allow: true, from: ['192.0.2.0/24'] },
    { allow: false },
  ];
  assert.equal(await ask(rules, { from: '192.0.2.7' }), false);
  assert.equal(await ask(rules, { from: '192.0.2.8' }), true);
  assert.equal(await ask(rules, { from: '127.0.0.1' }), false);
  assert.equal(await ask(rules, { from: '127.0.0.1' }, 'accelerator'), false);
});

test('a rule fits by source, method, host and port together', async () => {
  const rule: AccessRule = {
    allow: true,
    from: ['peers', '198.51.100.1'],
    methods: ['get', 'HEAD'],
    hosts: ['.example.org', 'other.example', '[::1]'],
    ports: ['80', '8000-8999'],
  };
  const from = '198.51.100.1';
  for (const [more, wanted] of [
    [{ from }, true],
    [{ from: '192.0.2.9' }, true],
    [{ from: '198.51.100.2' }, false],
    [{ from, method: 'POST' }, false],
    [{ from, host: 'example.org' }, true],
    [{ from, host: 'evilexample.org' }, false],
    [{ from, host: 'other.example' }, true],
    [{ from, host: 'www.other.example' }, false],
    [{ from, host: '::1' }, true],
    [{ from, port: 8999 }, true],
    [{ from, port: 9000 }, false],
  ] as const)
    assert.equal(await ask([rule, { allow: false }], more), wanted, JSON.stringify(more));
});

test('a name counts only when it leads back to the address', async () => {
  const names = {
    namesOf: async () => ['a.lan.example'],
    addressesOf: async (name: string) => (name === 'a.lan.example' ? ['198.51.100.1'] : []),
  };
  const rules = new AccessRules(
    [{ allow: true, from: ['lan.example'] }, { allow: false }],
    () => false,
    names,
  );
  assert.equal(await rules.admits({ ...question, from: '198.51.100.1' }, 'proxy'), true);
  assert.equal(await rules.admits({ ...question, from: '198.51.100.2' }, 'proxy'), false);
});

test('an invalid rule is refused when it is read', () => {
  for (const rule of [
    { allow: true, ports: ['x'] },
    { allow: true, ports: ['9-3'] },
    { allow: true, ports: ['70000'] },
    { allow: true, from: ['300.1.1.1/99'] },
  ])
    assert.throws(() => new AccessRules([rule]), { name: 'GarnerError' });
});
