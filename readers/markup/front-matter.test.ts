import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFrontMatter } from './front-matter.ts';

const read = (text: string) => {
  const { fields, bodyLine } = readFrontMatter(text.split('\n'));
  return { ...Object.fromEntries(fields), body: text.split('\n').slice(bodyLine).join('\n') };
};

/** Front matter, and its fields. */
function assertReads(table: readonly (readonly [text: string, fields: object])[]): void {
  for (const [text, fields] of table) assert.deepEqual(read(text), { ...fields, body: 'Body' }, text);
}

test('TOML front matter: strings, lists, tables, dates, and lines that are not TOML', () => {
  assertReads([
    ['+++\ntitle = "A \\"b\\""\n+++\nBody', { title: ['A "b"'] }],
    ["+++\ntitle = 'C:\\x'  # comment\n+++\nBody", { title: ['C:\\x'] }],
    ['+++\ntags = ["a", "b, c"]\n+++\nBody', { tags: ['a', 'b, c'] }],
    ['+++\ntags = [\n  "a", # one\n  "b",\n]\nx = 1\n+++\nBody', { tags: ['a', 'b'], x: ['1'] }],
    ['+++\ndescription = """\nTwo\nlines"""\n+++\nBody', { description: ['Two\nlines'] }],
    ['+++\ndate = 2024-02-15T08:00:00Z\n+++\nBody', { date: ['2024-02-15T08:00:00Z'] }],
    ['+++\ntitle = """\nTide \\\n  tables"""\n+++\nBody', { title: ['Tide tables'] }],
    ['+++\ntitle = "T"\n[author]\nname = "Kim"\n+++\nBody', { title: ['T'], author: ['Kim'] }],
    ['+++\ntitle = "\\U0001F30A \\\\u00e4"\n+++\nBody', { title: ['🌊 \\u00e4'] }],
    ['+++\n[taxonomies]\ntags = ["z"]\n+++\nBody', { tags: ['z'] }],
    ['+++\ntitle = "A"\nno toml here\nauthor = "B"\n+++\nBody', { title: ['A'], author: ['B'] }],
    ['+++\nauthors = [{name = "Kim"}, {name = "Ann"}]\n+++\nBody', { authors: ['Kim', 'Ann'] }],
    ['+++\nparams.author = "Kim"\ntitle = "\\u00c4"\n+++\nBody', { author: ['Kim'], title: ['Ä'] }],
  ]);
});

test('YAML front matter: folded, literal and continued values, lists and people', () => {
  assertReads([
    ['---\ntitle: >\n  Folded\n  title\nx: 1\n---\nBody', { title: ['Folded title'], x: ['1'] }],
    ['---\ntitle: >-\n  One\n\n  two\n---\nBody', { title: ['One\n\ntwo'] }],
    ['---\ndescription: |\n  a\n  b\n...\nBody', { description: ['a\nb'] }],
    ['---\ntitle: A title that\n  goes on\n---\nBody', { title: ['A title that goes on'] }],
    ['---\ntitle: ~\nx: null\ny: "null"\n---\nBody', { title: [], x: [], y: ['null'] }],
    ['---\ntitle: "\\u00e4 \\x41 \\"x\\""\n---\nBody', { title: ['ä A "x"'] }],
    ['---\ntitle:\n  On its own line\n---\nBody', { title: ['On its own line'] }],
    ['---\ntitle: "Quoted\n  too"\n---\nBody', { title: ['Quoted too'] }],
    ['---\ntags:\n- a\n- "b: c"\n---\nBody', { tags: ['a', 'b: c'] }],
    ['---\ntags: [a,\n  "b, c"]\n---\nBody', { tags: ['a', 'b, c'] }],
    ['---\nauthors:\n  - name: Kim\n    orcid: 1\n  - Ann\n---\nBody', { authors: ['Kim', 'Ann'] }],
    ['---\nauthor:\n  email: k\n  name: Kim\n---\nBody', { author: ['Kim'] }],
    ['---\nauthor: {name: Kim, url: x}\n---\nBody', { author: ['Kim'] }],
    [
      '---\ntitle: Tide: a bad line: here\n\t%broken\ndate: 1996\n---\nBody',
      { title: ['Tide: a bad line: here %broken'], date: ['1996'] },
    ],
    ["---\n# a comment\n\"title\": 'It''s' # c\n---\nBody", { title: ["It's"] }],
  ]);
});

test('JSON front matter, lines before a blank line, and the title block of Pandoc', () => {
  assertReads([
    ['{\n  "title": "J",\n  "tags": ["a", "b"]\n}\nBody', { title: ['J'], tags: ['a', 'b'] }],
    ['{\n  "title": "J",\n}\nBody', { title: ['J'] }],
    [
      '% The title\n% Kim; Ann\n% 1996\nBody',
      { title: ['The title'], author: ['Kim', 'Ann'], date: ['1996'] },
    ],
    ['% The\n  title\nBody', { title: ['The title'], author: [''], date: [''] }],
  ]);
  assert.deepEqual(read('Title: A post\nDate: 2010-12-03\n\nBody'), {
    title: ['A post'],
    date: ['2010-12-03'],
    body: '\nBody',
  });
});

test('lines before a blank line may begin with another field than the title', () => {
  assert.deepEqual(read('Date: 2010-12-03\nTitle: A post\n\nBody'), {
    date: ['2010-12-03'],
    title: ['A post'],
    body: '\nBody',
  });
  const text = 'Date: 2010-12-03\nPlace: a port\n\nBody';
  assert.deepEqual(read(text), { body: text });
});

test('a rule, a plus sign and a sentence with a colon are text', () => {
  for (const text of ['---\nBody', '+++\nBody', '{\nBody', 'Title: said he\nBody words', '- a\n---\nBody'])
    assert.deepEqual(read(text), { body: text }, text);
});
