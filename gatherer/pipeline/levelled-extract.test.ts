import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { defaultSummariseOptions, type Extract, summaryTexts } from '../../readers/document/index.ts';
import { summarise } from '../testing/summary-of.ts';
import { levelledExtract } from './levelled-extract.ts';
import { SummaryDraft } from './summary-draft.ts';

const found: Extract = {
  title: 'On Bees',
  fields: [
    ['Author', 'Ann Other'],
    ['Language', 'en'],
    ['Headings', 'On Bees\nOn Wax'],
    ['Date', '1996'],
  ],
  text: {
    blocks: [
      { role: 'heading', level: 1, text: 'On Bees' },
      { role: 'paragraph', text: 'Bees make honey. '.repeat(200) },
      { role: 'heading', text: 'On Wax' },
      { role: 'paragraph', text: 'The comb of the hive is of wax.' },
    ],
    cut: false,
  },
  references: ['http://hive.example/'],
  links: ['http://hive.example/'],
  index: true,
  follow: true,
  notes: [],
};
const at = (text: (typeof summaryTexts)[number], extract = found) =>
  levelledExtract(extract, { ...defaultSummariseOptions, text });
const namesOf = (text: (typeof summaryTexts)[number]) => at(text).fields.map(([name]) => name);

test('each heading that a level keeps has its own identifier', () => {
  const fields: Extract['fields'] = [
    ['Headings', 'On Bees\nOn Wax\nOn Bees'],
    ['Heading-Anchors', '=\nwax\nagain'],
  ];
  const anchors = (text: (typeof summaryTexts)[number]) =>
    Object.fromEntries(at(text, { ...found, fields }).fields)['Heading-Anchors'];
  assert.equal(anchors('full'), '=\nwax\nagain');
  assert.equal(anchors('selected'), '=\nwax');
  assert.equal(anchors('terse'), undefined);
});

test('fields keep their places, with the attributes of a level among them', () => {
  assert.deepEqual(namesOf('full'), ['Author', 'Language', 'Headings', 'Date']);
  assert.deepEqual(namesOf('selected'), ['Author', 'Language', 'Keywords', 'Headings', 'Date']);
  assert.deepEqual(namesOf('terse'), ['Author', 'Language', 'Keywords', 'Date']);
  assert.deepEqual(at('none').fields, found.fields);
  const own = { ...found, fields: [['Keywords', 'wasps'] as const, ...found.fields] };
  assert.match(at('terse', own).fields[0]?.join() ?? '', /^Keywords,wasps\n/);
});

test('each level has its text, terse leaves references out, links stay', () => {
  assert.deepEqual(
    summaryTexts.map((text) => at(text).text?.[0]),
    ['Full-Text', 'Partial-Text', undefined, undefined],
  );
  assert.deepEqual(
    summaryTexts.map((text) => at(text).references.length),
    [1, 1, 0, 1],
  );
  assert.deepEqual(at('terse').links, found.links);
});

test("the operator's own keywords precede the extracted ones, other fields replace them", () => {
  const document = { url: 'http://site.example/a.txt', name: 'a.txt', bytes: Buffer.from('x') };
  const recognised = { ...document, type: 'Text', mediaType: 'text/plain' };
  const draft = new SummaryDraft(recognised, { ...defaultSummariseOptions, text: 'selected' }, 'text');
  const authors = [['Author-1', 'Ann Other'] as const, ['Author-2', 'A. N. Other'] as const];
  draft.take({ ...found, fields: [...authors, ...found.fields.slice(1)] });
  draft.override([
    ['Keywords', 'wasps'],
    ['Headings', 'Of my own'],
    ['author', 'Maja Bee'],
  ]);
  const values = draft.summary().attributes;
  assert.deepEqual(
    values.filter(([name]) => /^author/i.test(name)),
    [['author', 'Maja Bee']],
  );
  assert.deepEqual(values.slice(1, 3), [
    ['Keywords', `wasps\n${at('selected').fields[2]?.[1]}`],
    ['Headings', 'Of my own'],
  ]);
  assert.equal(values.filter(([name]) => name === 'Keywords').length, 1);
});

test('omissions are noted', () => {
  const cut = { ...found, text: { blocks: found.text?.blocks ?? [], cut: true } };
  assert.deepEqual(at('full', cut).notes, ['Text was cut at 8388608 bytes.']);
  assert.deepEqual(at('selected', cut).notes, ['Only the beginning of its text was read.']);
  const small = levelledExtract(found, { text: 'terse', maxTextBytes: 5 });
  assert.deepEqual(small.notes, ['Text was cut at 5 bytes.']);
});

const documents: readonly (readonly [path: string, contentType: string, ...words: RegExp[]])[] = [
  ['/usr/share/doc/python3.11/html/library/zipfile.html', 'text/html', /archive/, /compress/, /ZipFile/],
  ['/usr/share/doc/git-doc/git-rebase.html', 'text/html', /upstream/, /interactive/, /autosquash/],
  ['/usr/share/man/man1/tar.1.gz', 'text/troff', /archive/, /extract/, /verbose/],
  ['/usr/share/common-licenses/GPL-3', 'text/plain', /patent/i, /source/i, /propagat/i],
  ['/usr/share/doc/shared-mime-info/shared-mime-info-spec.pdf', 'application/pdf', /glob/, /magic/, /mime/],
];

const sizeOf = (attributes: readonly (readonly [string, string])[]) =>
  attributes.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);

for (const [path, contentType, ...words] of documents)
  test(`the levels of ${basename(path)}`, async (t) => {
    if (!existsSync(path)) return t.skip(`SKIPPED: ${path} is not here`);
    const stored = readFileSync(path);
    const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
    const name = basename(path, '.gz');
    const url = `http://site.example/${name}`;
    const levels = [];
    for (const text of ['full', 'selected', 'terse'] as const)
      levels.push((await summarise({ url, name, bytes, contentType }, { text })).attributes);
    const [full = [], selected = [], terse = []] = levels;
    assert.ok(sizeOf(selected) < sizeOf(full) / 2, `${sizeOf(selected)} of ${sizeOf(full)} bytes`);
    assert.ok(sizeOf(terse) < 0.6 * sizeOf(selected), `${sizeOf(terse)} of ${sizeOf(selected)} bytes`);
    const values = levels.map((attributes) => new Map(attributes));
    for (const [attribute, value] of full)
      if (!/^(?:Keywords|Headings|Heading-Anchors|Full-Text|URL-References)$/.test(attribute))
        for (const each of values) assert.equal(each.get(attribute), value, attribute);
    for (const word of words) {
      assert.ok(
        selected.some(([, value]) => word.test(value)),
        `${word} is not in selected text`,
      );
      assert.ok(
        terse.some(([, value]) => word.test(value)),
        `${word} is not in terse text`,
      );
    }
  });

test('for any document, a lower level never has a larger summary', async () => {
  const words = fc.lorem({ maxCount: 40 });
  const markdown = fc
    .array(
      fc.oneof(
        words,
        words.map((text) => `# ${text}`),
        words.map((text) => `* ${text}`),
        words.map((text) => `| ${text} | x |`),
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join('\n\n'));
  await fc.assert(
    fc.asyncProperty(markdown, fc.constantFrom('a.md', 'a.txt', 'README'), async (content, name) => {
      const document = { url: `http://site.example/${name}`, name, bytes: Buffer.from(content) };
      let above = Number.POSITIVE_INFINITY;
      for (const text of ['full', 'selected', 'terse'] as const) {
        const size = sizeOf((await summarise(document, { text })).attributes);
        assert.ok(size <= above, `${text}: ${size} after ${above}`);
        above = size;
      }
    }),
    { numRuns: 200 },
  );
});
