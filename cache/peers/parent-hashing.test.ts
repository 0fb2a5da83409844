import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CarpArray } from './carp.ts';
import { type Member, rendezvousOrder } from './rendezvous.ts';

const members = fc.uniqueArray(fc.record({ name: fc.domain(), weight: fc.integer({ min: 1, max: 5 }) }), {
  selector: ({ name }) => name,
  minLength: 1,
  maxLength: 8,
});
const urlOf = (n: number) => `http://origin.example/${n}`;
const ways: readonly (readonly [string, (key: string, of: readonly Member[]) => readonly Member[]])[] = [
  ['rendezvous hashing', rendezvousOrder],
  ['CARP', (key, of) => new CarpArray(of).order(key)],
];

for (const [name, order] of ways) {
  test(`${name} gives each parent once, in the same order for every client`, () => {
    fc.assert(
      fc.property(members, fc.webUrl(), (all, url) => {
        const given = order(url, all);
        assert.deepEqual(new Set(given), new Set(all));
        assert.equal(given.length, all.length);
        assert.deepEqual(order(url, all), given);
      }),
    );
  });

  test(`${name} spreads URLs over parents by their weights, within a tenth of all`, () => {
    const all = [
      { name: 'one.example', weight: 1 },
      { name: 'two.example', weight: 2 },
      { name: 'three.example', weight: 3 },
    ];
    const counts = new Map<string, number>();
    for (let n = 0; n < 6000; n++) {
      const first = order(urlOf(n), all)[0]?.name ?? '';
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    for (const { name: member, weight } of all) {
      const got = counts.get(member) ?? 0;
      assert.ok(Math.abs(got - weight * 1000) < 600, `${member}: ${got} of 6000 for a weight of ${weight}`);
    }
  });
}

test('when a parent leaves, rendezvous hashing moves its own URLs and no others', () => {
  fc.assert(
    fc.property(members, fc.webUrl(), fc.nat(), (all, url, which) => {
      const gone = all[which % all.length];
      const before = rendezvousOrder(url, all);
      const after = rendezvousOrder(
        url,
        all.filter((member) => member !== gone),
      );
      assert.deepEqual(
        after,
        before.filter((member) => member !== gone),
      );
    }),
  );
});

test('the order of rendezvous hashing does not depend on the order of the parents', () => {
  fc.assert(
    fc.property(members, fc.webUrl(), (all, url) => {
      assert.deepEqual(rendezvousOrder(url, all.toReversed()), rendezvousOrder(url, all));
    }),
  );
});

test('a parent without weight takes no part', () => {
  const all = [
    { name: 'a.example', weight: 1 },
    { name: 'b.example', weight: 0 },
  ];
  assert.deepEqual(
    rendezvousOrder('x', all).map(({ name }) => name),
    ['a.example'],
  );
  assert.deepEqual(
    new CarpArray(all).order('x').map(({ name }) => name),
    ['a.example'],
  );
});

test('CARP chooses as squid 5.7 does: its choices of 60 among three parents, by equal and by other weights', () => {
  const chosen = (weights: readonly number[]) => {
    const all = ['north', 'east', 'south'].map((name, at) => ({ name, weight: weights[at] ?? 0 }));
    const array = new CarpArray(all);
    return Array.from(
      { length: 60 },
      (_, n) => array.order(`http://127.0.0.1:40625/object/${n}`)[0]?.name[0],
    ).join('');
  };
  assert.equal(chosen([1, 1, 1]), 'nnnsnnssssnessennnsnesessnnnsesessnnnnssseennnnseessnnnnssnn');
  assert.equal(chosen([1, 2, 3]), 'nnesnnssssnessensssnessssnsssssessenensssessesnssessnsnsssne');
});
