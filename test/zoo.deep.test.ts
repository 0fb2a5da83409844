import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPlan, summarisedTypes, type TryReport, tryDocument } from '../gatherer/index.ts';
import type { Exhibit } from './zoo/exhibit.ts';
import { zoo } from './zoo/index.ts';
import { Workshop } from './zoo/workshop.ts';

/** The attributes of every summary. */
const plain = /^(?:Title|Type|Media-Type|File-Size|MD5|Last-Modification-Time|Summary-Note)$/;
/** Types with no attributes other than text. */
const poor = new Set(['Text', 'FullText', 'FormattedText', 'Configuration', 'CSS', 'Directory', 'Subtitles']);

async function shown({ type, name, url, packed, typeSet }: Exhibit, bytes: Uint8Array): Promise<TryReport> {
  const document = { url: url ?? `http://zoo.example/${name}`, name, bytes };
  const byName = typeSet === true ? [{ pattern: '.', type }] : [];
  return tryDocument(document, {
    ...defaultPlan,
    types: { ...defaultPlan.types, byName },
    unnest: { ...defaultPlan.unnest, open: packed !== true },
  });
}

test('every type that has a summariser has an exhibit', () => {
  assert.deepEqual(
    summarisedTypes.filter((type) => !zoo.some((exhibit) => exhibit.type === type)),
    [],
  );
});

test('the zoo', { timeout: 280_000 }, async (t) => {
  await using workshop = await Workshop.open();
  const made = new Map(
    zoo
      .filter((exhibit) => workshop.lacking(exhibit) === undefined)
      .map((exhibit) => [exhibit, workshop.make(exhibit)]),
  );
  // Its own subtest waits for each.
  for (const bytes of made.values()) bytes.catch(() => {});
  for (const exhibit of zoo)
    await t.test(`${exhibit.type}: ${exhibit.name}`, async (subtest) => {
      const bytes = await made.get(exhibit);
      // No program of Debian makes it, so there is nothing to install.
      if ('absent' in exhibit.from) return t.diagnostic(`no ${exhibit.type}: ${exhibit.from.absent}`);
      if (bytes === undefined) return subtest.skip(workshop.lacking(exhibit));
      const report = await shown(exhibit, bytes);
      assert.equal(report.type, exhibit.type);
      assert.equal(report.objects.length, exhibit.objects ?? 1, 'number of objects');
      const own = report.objects.find(({ attributes }) => attributes.Type === exhibit.type);
      const { attributes = {} } = own ?? report.objects[0] ?? {};
      for (const [name, expected] of Object.entries(exhibit.attributes)) {
        const value = attributes[name] ?? '';
        if (typeof expected === 'string') assert.equal(value, expected, name);
        else assert.match(value, expected, name);
      }
      if (exhibit.objects === undefined && exhibit.packed === undefined && !poor.has(exhibit.type)) {
        const names = Object.keys(attributes).filter((name) => !plain.test(name));
        assert.ok(names.length >= 3, `only ${names.join(', ')}`);
        assert.ok(Object.keys(exhibit.attributes).length >= 4, 'fewer than four are checked');
      }
    });
});
