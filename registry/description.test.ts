import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSoif, printObject, type SummaryObject } from '../soif/index.ts';
import { descriptionObject, readDescription, type ServerDescription, serverTypes } from './description.ts';
import { registryErrors } from './errors.ts';

const code = registryErrors.REGISTRY_ATTRIBUTE.code;

const harbour: ServerDescription = {
  ...{ type: 'BROKER', url: 'https://harbour.example/', name: 'Harbour', description: 'Tides' },
  ...{ administrator: 'The office', location: 'Bremen', software: 'garner/0.2.0', objects: 12 },
  ...{ refreshSeconds: 60, ttlSeconds: 300 },
};

const text = fc.string({ maxLength: 60 }).map((value) => value.trim());

test('a description of any server is read back from its SOIF', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          type: fc.constantFrom(...serverTypes),
          url: fc.webUrl().map((url) => new URL(url).href),
          name: text.filter((value) => value !== ''),
          ...{ description: text, administrator: text, location: text, software: text },
          objects: fc.option(fc.nat(), { nil: undefined }),
          refreshSeconds: fc.integer({ min: 1, max: 86_400 }),
          ttlSeconds: fc.integer({ min: 1, max: 86_400 }),
        },
        { noNullPrototype: true },
      ),
      async (description) => {
        const objects: SummaryObject[] = [];
        for await (const { object } of parseSoif([
          printObject(descriptionObject(description, 1_795_250_870)),
        ]))
          objects.push(object);
        assert.deepEqual(objects.map(readDescription), [description]);
      },
    ),
  );
});

test('a description without what it must have, or with what it may not have, is refused by name', () => {
  const object = descriptionObject(harbour, 1_795_250_870);
  const without = (name: string) => ({
    ...object,
    attributes: object.attributes.filter((attribute) => attribute.name !== name),
  });
  const having = (name: string, value: string) => ({
    ...without(name),
    attributes: [...without(name).attributes, { name, value: Buffer.from(value) }],
  });
  const faults: readonly (readonly [SummaryObject, RegExp])[] = [
    [without('Title'), /Title is missing/],
    [without('Time-to-Live'), /Time-to-Live is missing/],
    [without('Refresh-Rate'), /Refresh-Rate is missing/],
    [having('Time-to-Live', '99999999'), /Time-to-Live is more than 30 days/],
    [having('Refresh-Rate', 'soon'), /Refresh-Rate is missing or no number/],
    [having('Description', 'x'.repeat(2001)), /Description is longer/],
    [having('Note', 'x'.repeat(70_000)), /larger than 64 KiB/],
    [{ ...object, templateType: 'FILE' }, /not that of a server/],
    [{ ...object, url: 'ftp://harbour.example/' }, /not an http or https address/],
    [{ ...object, url: 'https://me:secret@harbour.example/' }, /has a user/],
    [{ ...object, url: 'https://HARBOUR.example' }, /not in its normal form/],
  ];
  for (const [wrong, message] of faults) assert.throws(() => readDescription(wrong), { code, message });
});
