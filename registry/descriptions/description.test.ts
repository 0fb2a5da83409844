import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Attributes, checkSoif, parseSoif, printObject, type SummaryObject } from '../../soif/index.ts';
import { registryErrors } from '../errors.ts';
import { attributeTables, serverAttributes as names, serverTypes } from './attributes.ts';
import {
  type DescribedAttribute,
  descriptionObject,
  readDescription,
  type ServerDescription,
} from './description.ts';
import { figuresOf, printCounts } from './figures.ts';
import { printLinks, publicAddress, type ServerLink } from './links.ts';

const code = registryErrors.REGISTRY_ATTRIBUTE.code;
const now = 1_795_250_870;

const harbour: ServerDescription = {
  ...{ type: 'BROKER', url: 'https://harbour.example/', name: 'Harbour', description: 'Tides' },
  ...{ administrator: 'The office', location: 'Bremen', software: 'garner/0.2.0', objects: 12 },
  ...{ refreshSeconds: 60, ttlSeconds: 300 },
};

/** A value that each attribute may have. */
const example: Readonly<Record<string, string>> = { text: 'some', number: '7', lease: '60', lines: 'one' };

/** What a type must have beside that which every description has. */
function more(type: ServerDescription['type']): readonly DescribedAttribute[] {
  const has = new Set(descriptionObject({ ...harbour, type }, now).attributes.map(({ name }) => name));
  return attributeTables[type].mandatory
    .filter(({ name }) => !has.has(name))
    .map(({ name, kind }) => [name, example[kind] ?? 'some']);
}

const text = fc.string({ maxLength: 60 }).map((value) => value.trim());
const filled = text.filter((value) => value !== '');

test('a description of any server is read back from its SOIF', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(
        {
          type: fc.constantFrom(...serverTypes),
          url: fc.webUrl().map((url) => new URL(url).href),
          ...{ name: filled, software: filled, administrator: filled },
          ...{ description: text, location: text },
          objects: fc.option(fc.nat(), { nil: undefined }),
          refreshSeconds: fc.integer({ min: 1, max: 86_400 }),
          ttlSeconds: fc.integer({ min: 1, max: 86_400 }),
          own: fc.array(fc.tuple(fc.stringMatching(/^X[a-z]{1,8}$/), filled), { maxLength: 5 }),
        },
        { noNullPrototype: true },
      ),
      async ({ own, ...rest }) => {
        const description = { ...rest, attributes: [...more(rest.type), ...own] };
        const objects: SummaryObject[] = [];
        for await (const { object } of parseSoif([printObject(descriptionObject(description, now))]))
          objects.push(object);
        assert.deepEqual(objects.map(readDescription), [description]);
      },
    ),
  );
});

const without = (object: SummaryObject, name: string) => ({
  ...object,
  attributes: object.attributes.filter((attribute) => attribute.name !== name),
});

test('each type of server has its mandatory attributes, and a description without one is refused by its name', async () => {
  for (const type of serverTypes) {
    const object = descriptionObject({ ...harbour, type, attributes: more(type) }, now);
    assert.equal(readDescription(object).type, type);
    const { mandatory } = attributeTables[type];
    assert.ok(mandatory.length >= 5);
    for (const { name } of mandatory)
      assert.throws(() => readDescription(without(object, name)), {
        code,
        message: new RegExp(`: ${name} is missing`),
      });
    for await (const found of checkSoif([printObject(object)]))
      assert.deepEqual(found.kind === 'summary' ? [found.faults, found.warnings] : found, [0, 0], type);
  }
});

test('a Gatherer is described by the names that Harvest gave', () => {
  const { attributes } = descriptionObject({ ...harbour, type: 'GATHERER' }, now);
  const own = new Map(attributes.map(({ name, value }) => [name, Buffer.from(value).toString()]));
  const gatherer = [names.gathererName, names.gathererHost, names.gathererPort, names.gathererVersion];
  assert.deepEqual(
    [...gatherer, Attributes.refreshRate, Attributes.timeToLive, Attributes.updateTime].map((name) =>
      own.get(name),
    ),
    ['Harbour', 'harbour.example', '443', 'garner/0.2.0', '60', '300', String(now)],
  );
});

test('a description without what it must have, or with what it may not have, is refused by name', () => {
  const object = descriptionObject(harbour, now);
  const having = (name: string, value: string) => ({
    ...without(object, name),
    attributes: [...without(object, name).attributes, { name, value: Buffer.from(value) }],
  });
  const faults: readonly (readonly [SummaryObject, RegExp])[] = [
    [having('Time-to-Live', '99999999'), /Time-to-Live is more than 30 days/],
    [having('Refresh-Rate', 'soon'), /Refresh-Rate is no number of seconds/],
    [having('Refresh-Rate', '0'), /Refresh-Rate is no number of seconds/],
    [having('Update-Time', 'now'), /Update-Time is no whole number/],
    [having('Objects', 'many'), /Objects is no whole number/],
    [having('Description', 'x'.repeat(2001)), /Description is longer/],
    [having('Content-Summary', 'x'.repeat(65_537)), /Content-Summary is longer/],
    [having('Note', 'x'.repeat(170_000)), /larger than 160 KiB/],
    [having('Type', 'GATHERER'), /Type is not that of the object/],
    [having('Collects-From', 'live file:///etc/passwd'), /Collects-From has a line that is not STATE URL/],
    [having('Collects-From', 'live https://me:secret@a.example/'), /Collects-From has a line/],
    [having('Collects-From', 'well https://a.example/'), /Collects-From has a line/],
    [having('Collects-From', 'live https://a.example/\n'.repeat(257)), /has more than 256 lines/],
    [{ ...object, attributes: Array(300).fill(object.attributes[0]) }, /more than 256 attributes/],
    [{ ...object, templateType: 'FILE' }, /not that of a server/],
    [{ ...object, url: 'ftp://harbour.example/' }, /not an http or https address/],
    [{ ...object, url: 'https://me:secret@harbour.example/' }, /has a user/],
    [{ ...object, url: 'https://HARBOUR.example' }, /not in its normal form/],
  ];
  for (const [wrong, message] of faults) assert.throws(() => readDescription(wrong), { code, message });
  assert.deepEqual(readDescription(having('Content-Summary', 'x'.repeat(65_536))).attributes?.length, 1);
});

test('the links, roots and counts of a description are read back, and an address loses what is private', () => {
  const links: readonly ServerLink[] = [
    { state: 'live', url: 'http://127.0.0.1:8500/' },
    { state: 'broken', url: '-', serverId: 'AAAAAAAAAAAAAAAAAAAAAA' as NonNullable<ServerLink['serverId']> },
  ];
  const counts = [{ value: 'HTML', count: 120 }, { value: 'PDF' }];
  const figures = figuresOf([
    [names.collectsFrom, printLinks(links)],
    [names.types, printCounts(counts)],
    [names.backlog, '10000'],
    [names.roots, 'https://a.example/docs\nfile:///srv/docs\n/srv/docs'],
  ]);
  assert.deepEqual([figures.collectsFrom, figures.types, figures.backlog], [links, counts, 10_000]);
  assert.deepEqual(figures.roots, ['https://a.example/docs']);
  for (const [given, shown] of [
    ['https://me:secret@a.example/docs?token=1#part', 'https://a.example/docs'],
    ['wss://a.example:8500/#view=tides', 'https://a.example:8500/'],
    ['ftp://anonymous@ftp.example/pub', 'ftp://ftp.example/pub'],
    ['mbox:/var/mail/jo', undefined],
    ['file:///srv/docs', undefined],
    ['feed:https://a.example/feed', undefined],
    ['/srv/docs', undefined],
  ] as const)
    assert.equal(publicAddress(given), shown);
});
