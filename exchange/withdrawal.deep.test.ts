import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../soif/index.ts';
import { Mesh, type MeshNode } from './testing/mesh.ts';

const objects = 2;
const brokers = 4;

/** Which Broker collects from which server. */
type Edge = readonly [broker: number, source: number | 'publisher'];

type Step =
  | { readonly do: 'put'; readonly n: number; readonly text: string }
  | { readonly do: 'withdraw'; readonly n: number }
  | { readonly do: 'drop'; readonly n: number }
  | { readonly do: 'collect'; readonly edge: Edge; readonly scheme: string | undefined }
  | { readonly do: 'spread' }
  | { readonly do: 'sleep'; readonly broker: number }
  | { readonly do: 'wake'; readonly broker: number };

const anyObject = fc.nat(objects - 1);
const anyBroker = fc.nat(brokers - 1);
const pairs = Array.from({ length: brokers ** 2 }, (_, i): Edge => {
  const [broker, source] = [Math.floor(i / brokers), i % brokers];
  return [broker, broker === source ? 'publisher' : source];
});
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    ...{ do: fc.constant('put' as const), n: anyObject },
    text: fc.constantFrom('a', 'b'),
  }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('withdraw' as const), n: anyObject }) },
  fc.record({ do: fc.constant('drop' as const), n: anyObject }),
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ do: fc.constant('collect' as const), edge: fc.constantFrom(...pairs) },
      scheme: fc.constantFrom(undefined, undefined, 'log-handles', 'hierarchical-signatures'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('spread' as const) }) },
  fc.record({ do: fc.constant('sleep' as const), broker: anyBroker }),
  fc.record({ do: fc.constant('wake' as const), broker: anyBroker }),
);

/** Each Broker is reached from the publisher. */
const trees = fc
  .array(fc.nat(), { minLength: brokers, maxLength: brokers })
  .map((parents) => parents.map((parent, i): Edge => [i, i === 0 ? 'publisher' : parent % i]));

/** The latest withdrawal that each Broker has applied, by object, as this test has seen it. */
class Witness {
  readonly #applied = new Map<MeshNode, Map<Oid, number>>();

  /** Check one server after it may have changed. */
  async look(node: MeshNode, oids: readonly Oid[]): Promise<void> {
    const applied = this.#applied.get(node) ?? new Map<Oid, number>();
    this.#applied.set(node, applied);
    const held = await node.versions();
    for (const oid of oids) {
      const last = applied.get(oid) ?? 0;
      const version = held.get(oid)?.updatedAt;
      assert.ok(version === undefined || version > last, `a version of ${version}, withdrawn at ${last}`);
      applied.set(oid, Math.max(last, await node.store.withdrawnAt(oid)));
    }
  }
}

test('any mesh, any schedule: what was withdrawn is never seen again, and all become equal', async () => {
  await fc.assert(
    fc.asyncProperty(
      trees,
      fc.array(step, { minLength: 10, maxLength: 50 }),
      fc.subarray([1, 2], { maxLength: 1 }),
      async (tree, steps, old) => {
        await using mesh = await Mesh.open(brokers, old);
        const witness = new Witness();
        const oids = Array.from({ length: objects }, (_, n) => mesh.oid(n));
        const asleep = new Set<number | 'publisher'>();
        const { store } = mesh.publisher;
        const times = new Map<number, number>();
        /** Every pair that has collected. */
        const links = new Map(tree.map((edge) => [edge.join(), edge]));
        const sync = async (edge: Edge, scheme?: string) => {
          const [broker, source] = edge;
          if (asleep.has(broker) || asleep.has(source)) return;
          const client = mesh.brokers[broker] as MeshNode;
          const server = source === 'publisher' ? mesh.publisher : (mesh.brokers[source] as MeshNode);
          const isFirst = !client.store.partitions.has(server.identity.serverId);
          links.set(edge.join(), edge);
          await client.collectFrom(server, isFirst ? undefined : scheme);
          await witness.look(client, oids);
        };
        for (const one of steps) {
          // Some steps happen within the same second.
          if (one.do !== 'collect') mesh.clock.advance(400);
          if (one.do === 'put') {
            // As a Gatherer: a version after a withdrawal is later than that.
            const updatedAt = Math.max(mesh.now, (await store.withdrawnAt(mesh.oid(one.n))) + 1);
            times.set(one.n, updatedAt);
            await store.apply([mesh.put(one.n, one.text, updatedAt)]);
          } else if (one.do === 'withdraw') {
            const updatedAt = Math.max(mesh.now, times.get(one.n) ?? 0);
            await store.apply([mesh.withdraw(one.n, { updatedAt })]);
          } else if (one.do === 'drop') await store.apply([{ kind: 'delete', oid: mesh.oid(one.n) }]);
          else if (one.do === 'spread') for (const edge of links.values()) await sync(edge);
          else if (one.do === 'sleep') asleep.add(one.broker);
          else if (one.do === 'wake') asleep.delete(one.broker);
          else await sync(one.edge, one.scheme);
        }
        // All wake, and collect until nothing changes.
        asleep.clear();
        for (let sweep = 0, before = ''; ; sweep++) {
          const now = mesh.brokers.map((node) => node.store.lsn).join();
          if (now === before) break;
          assert.ok(sweep < 60, 'the mesh does not come to rest');
          before = now;
          for (const edge of links.values()) await sync(edge);
        }
        const contents = async (node: MeshNode) =>
          [...(await node.versions())].map(([oid, { digest }]) => `${oid} ${digest}`);
        const truth = await contents(mesh.publisher);
        for (const node of mesh.brokers) assert.deepEqual(await contents(node), truth);
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 30) },
  );
});
