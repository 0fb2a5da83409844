import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderedArray } from './ordered-array.ts';
import type { GroupScheme, Scheme } from './scheme.ts';
import { schemeNamed } from './schemes.ts';
import type { StoreModel } from './source.ts';
import { oidNamed, shown } from './testing/names.ts';
import { SimulatedClient, SimulatedStore } from './testing/simulation.ts';

// The paper's own examples, exactly: figures 3, 7, 10, 13 and 14, and the faults of its pseudo-code when it is
// followed to the letter.

const model: StoreModel = {
  updates: 'in-place',
  deletes: true,
  handleReuse: true,
  handles: 'arbitrary',
  monotoneStamps: true,
  tombstones: true,
  log: true,
};

const scheme = (name: string): Scheme => schemeNamed(name) as Scheme;

/** A store and a client with the objects of a figure, `TR1 Paper 1 T1` each. */
function figure(
  store: readonly (readonly [string, string, number?])[],
  client: readonly (readonly [string, string, number?])[],
): readonly [SimulatedStore, SimulatedClient] {
  const [from, to] = [new SimulatedStore(model), new SimulatedClient()];
  for (const [name, content, stamp = 0] of store) from.put(oidNamed(name), content, stamp);
  for (const [name, content, stamp = 0] of client) to.objects.set(oidNamed(name), { content, stamp });
  return [from, to];
}

const papers = (...names: readonly (number | string)[]) =>
  names.map((name) => {
    const number = Number.parseInt(String(name), 10);
    return [`TR${number}`, `Paper ${name}`, number] as const;
  });

const figure3 = () => figure(papers(1, "2'", 4), papers(1, 2, 3));

for (const name of ['simple-snapshot', 'signature', 'hierarchical-signatures', 'sketch', 'short-ids'])
  test(`figures 3 and 10 by ${name}: learn TR2 and TR4, forget TR2 and TR3`, async () => {
    const [store, client] = figure3();
    const { learned, forgotten } = await client.run(scheme(name), store);
    assert.deepEqual(
      [learned.toSorted(), forgotten.toSorted()],
      [
        ['TR2', 'TR4'],
        ['TR2', 'TR3'],
      ],
    );
    assert.deepEqual(client.fingerprint(), store.state().fingerprint);
  });

test('figure 3 by handles alone misses the update in place', async () => {
  const [store, client] = figure3();
  const { learned, forgotten } = await client.run(scheme('handle-snapshot'), store);
  assert.deepEqual([learned, forgotten], [['TR4'], ['TR3']]);
});

test('figure 7: objects stamped after marker T2, and the marker is T3', async () => {
  const [store, client] = figure(papers(1, 2, 3), papers(1, 2));
  client.stampMarker = 2;
  const { learned, forgotten } = await client.run(scheme('timestamp'), store);
  assert.deepEqual([learned, forgotten, client.stampMarker], [['TR3'], [], 3]);
});

/** The groups of each round as the figures print them, with the client's verdict. */
function trace(said: Awaited<ReturnType<SimulatedClient['run']>>['statements']) {
  return said.flatMap((statement) =>
    statement.kind === 'groups'
      ? [
          statement.groups.map((group) =>
            group.kind === 'data'
              ? [shown(group.prevMax), shown(group.min), shown(group.max), shown(group.nextMin)]
              : ['objects'],
          ),
        ]
      : [],
  );
}

const figure13 = () => figure(papers(1, 2, 3, 4, "6'", 7, 8, 9), papers(1, 2, 3, 4, 5, 6, 7, 8));

test('figure 13: four rounds of seven descriptors as printed', async () => {
  const [store, client] = figure13();
  const { learned, forgotten, statements } = await client.run(
    scheme('hierarchical-signatures-binary'),
    store,
  );
  assert.deepEqual(learned.toSorted(), ['TR6', 'TR9']);
  assert.deepEqual(forgotten.toSorted(), ['TR5', 'TR6']);
  assert.deepEqual(trace(statements), [
    [[null, 'TR1', 'TR9', null]],
    [
      [null, 'TR1', 'TR4', 'TR6'],
      ['TR4', 'TR6', 'TR9', null],
    ],
    [
      ['TR4', 'TR6', 'TR7', 'TR8'],
      ['TR7', 'TR8', 'TR9', null],
    ],
    [
      ['TR4', 'TR6', 'TR6', 'TR7'],
      ['TR6', 'TR7', 'TR7', 'TR8'],
    ],
  ]);
});

test('figure 13 with a client that speaks: round 1 is followed by the printed round 3', async () => {
  const [store, client] = figure13();
  const binary = scheme('hierarchical-signatures-binary') as GroupScheme;
  const speaking: GroupScheme = { ...binary, rule: { ...binary.rule, speaks: 'both' } };
  const { learned, statements } = await client.run(speaking, store);
  assert.deepEqual(learned.toSorted(), ['TR6', 'TR9']);
  const rounds = trace(statements);
  assert.deepEqual(rounds[0], [[null, 'TR1', 'TR9', null]]);
  assert.deepEqual(rounds[1], [
    ['TR4', 'TR6', 'TR7', 'TR8'],
    ['TR7', 'TR8', 'TR9', null],
  ]);
});

const figure14 = (first = 'Paper 1') =>
  figure(
    [['TR1', first, 1], ...papers(2, 3, 4, 7, 8, 9), ['TR6', "Paper 6'", 10]],
    papers(1, 2, 3, 4, 5, 6, 7, 8),
  );

/** Figure 14's scheme; its ends may be left out of what follows only because they come signed. */
const clustered = (): GroupScheme => {
  const binary = scheme('hierarchical-signatures-binary') as GroupScheme;
  return { ...binary, order: 'stamp', rule: { ...binary.rule, ends: 'signed' } };
};

test('figure 14: two rounds, learn TR6 and TR9, forget TR5', async () => {
  const [store, client] = figure14();
  const { learned, forgotten, statements } = await client.run(clustered(), store);
  assert.deepEqual(learned.toSorted(), ['TR6', 'TR9']);
  assert.deepEqual(forgotten.toSorted(), ['TR5', 'TR6']);
  assert.deepEqual(trace(statements), [
    [[null, '001TR1', '010TR6', null]],
    [
      ['001TR1', '002TR2', '004TR4', '007TR7'],
      ['004TR4', '007TR7', '009TR9', '010TR6'],
    ],
  ]);
});

test('figure 14 with an end changed under its old timestamp: learned too, since ends are signed', async () => {
  const [store, client] = figure14("Paper 1'");
  const { learned } = await client.run(clustered(), store);
  assert.deepEqual(learned.toSorted(), ['TR1', 'TR6', 'TR9']);
  assert.deepEqual(client.fingerprint(), store.state().fingerprint);
});

test('latest timestamps of groups miss deletions; signatures do not', async () => {
  const stamps = scheme('hierarchical-timestamps');
  const [store, client] = figure(papers(1, 2, 4, 5), papers(1, 2, 3, 4, 5));
  const { forgotten } = await client.run(stamps, store);
  // Seen only where the store sends the gap between two neighbours; a later timestamp in its group hides it.
  assert.deepEqual(forgotten, []);
  const [same, again] = figure(papers(1, 2, 4, 5), papers(1, 2, 3, 4, 5));
  assert.deepEqual((await again.run(scheme('hierarchical-signatures-binary'), same)).forgotten, ['TR3']);
});

test('an empty store makes its client forget everything, and an empty client learns everything', async () => {
  for (const name of [
    'signature',
    'hierarchical-signatures-binary',
    'hierarchical-signatures',
    'sketch',
    'short-ids',
  ]) {
    const [store, client] = figure([], papers(1, 2, 3));
    await client.run(scheme(name), store);
    assert.equal(client.objects.size, 0, name);
    const [full, empty] = figure(papers(1, 2, 3), []);
    await empty.run(scheme(name), full);
    assert.equal(empty.objects.size, 3, name);
  }
});

test('an ordered array refuses an object beyond its end', async () => {
  const view = new OrderedArray([], () => ({ add: () => {}, data: () => new Uint8Array() }));
  await assert.rejects(view.at({}, 0), RangeError);
});
