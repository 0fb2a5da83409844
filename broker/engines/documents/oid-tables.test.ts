import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Oid, oidFromBytes } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { oidRows, packedOids } from './oid-tables.ts';

/** Eight OIDs with common beginnings, in two groups. */
const oids = Array.from({ length: 8 }, (_, n): Oid => {
  const bytes = new Uint8Array(32).fill(n % 2);
  bytes[31] = n;
  return oidFromBytes(bytes);
});
const change = fc.record({ oid: fc.constantFrom(...oids), isPut: fc.boolean() });

for (const [name, table] of Object.entries({ oidRows, packedOids }))
  test(`OIDs with a common beginning are distinguished, after any changes: ${name}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-oids-'));
    try {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 8 }), async (batches) => {
          await using database = await openDatabase(join(folder, String(run++)));
          const truth = new Map<Oid, { docno: number; language: 'en' | 'de' }>();
          let next = 1;
          for (const batch of batches) {
            const last = [...new Map(batch.map((one) => [one.oid, one])).values()];
            const known = await table.of(
              database,
              last.map(({ oid }) => oid),
            );
            for (const { oid } of last) assert.deepEqual(known.get(oid), truth.get(oid));
            const dead = last.flatMap(({ oid }) => truth.get(oid)?.docno ?? []);
            const added = last.flatMap(({ oid, isPut }) => {
              truth.delete(oid);
              const object = { docno: next++, language: next % 2 === 0 ? 'en' : 'de' } as const;
              if (isPut) truth.set(oid, object);
              return isPut ? [[oid, object] as const] : [];
            });
            await database.batch(known.writes(dead, added));
            const found: Oid[] = [];
            for await (const oid of table.all(database)) found.push(oid);
            assert.deepEqual(
              found,
              oids
                .filter((oid) => truth.has(oid))
                .sort((a, b) => (oids.indexOf(a) % 2) - (oids.indexOf(b) % 2)),
            );
          }
        }),
        { numRuns: 30 },
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
