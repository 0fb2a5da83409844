import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessMethods } from './access-methods.ts';
import { PostRules } from './post-rules.ts';
import { QuickSum } from './quick-sum.ts';
import { UrlRewriter } from './url-rewrite.ts';

const subject = {
  url: 'http://example.org/users/ann/a b.csv',
  type: 'CSV',
  attributes: [
    ['Title', 'rows'],
    ['Author-1', 'Ann'],
    ['Author-2', 'Bob'],
    ['Time-to-Live', '2592000'],
  ] as const,
};

const form = {
  print: ({ attributes }: { attributes: readonly (readonly [string, string])[] }) =>
    Buffer.from(JSON.stringify(attributes)),
  parse: async (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString()) as [string, string][],
};

const upper = async (_: readonly string[], input: Uint8Array) =>
  Buffer.from(`${Buffer.from(input).toString().toUpperCase()}\n`);

test('rules apply in order, each to what the one before left', async () => {
  const rules = new PostRules(
    [
      {
        condition: 'URL ~ /\\/users\\//',
        instructions: [
          { kind: 'set', name: 'time-to-live', value: '86400' },
          { kind: 'set', name: 'Topic', value: 'people' },
        ],
      },
      { condition: 'Topic == "people"', instructions: [{ kind: 'pipe', name: 'Title', command: ['upper'] }] },
      { instructions: [{ kind: 'remove', name: 'author' }] },
    ],
    upper,
    form,
  );
  assert.deepEqual((await rules.apply(subject))?.attributes, [
    ['Title', 'ROWS'],
    ['Time-to-Live', '86400'],
    ['Topic', 'people'],
  ]);
});

test('a filter sees the attributes it names and replaces them by what it answers', async () => {
  const rules = new PostRules(
    [{ instructions: [{ kind: 'filter', names: ['Author', 'Title'], command: ['upper'] }] }],
    upper,
    form,
  );
  assert.deepEqual((await rules.apply(subject))?.attributes, [
    ['Time-to-Live', '2592000'],
    ['AUTHOR', 'ANN'],
    ['AUTHOR', 'BOB'],
    ['TITLE', 'ROWS'],
  ]);
});

test('a rule can delete a summary, and nothing after it runs', async () => {
  const rules = new PostRules(
    [
      { condition: 'Type == "CSV"', instructions: [{ kind: 'delete' }] },
      { instructions: [{ kind: 'pipe', name: 'Title', command: ['no'] }] },
    ],
    async () => assert.fail('ran'),
    form,
  );
  assert.equal(await rules.apply(subject), undefined);
});

test('quick-sum gives the first group of matching lines, of its type alone, bounded', () => {
  const quick = new QuickSum([
    { type: 'ReferBibliographic', attribute: 'Author', pattern: '^%A[ \\t]+(.*)$' },
    { type: 'ReferBibliographic', attribute: 'Title', pattern: '^%T .*' },
  ]);
  const text = '%A Ann\r\n%T On rows\n%A\tBob\nnothing\n';
  assert.deepEqual(quick.fields('referbibliographic', text), [
    ['Author', 'Ann\nBob'],
    ['Title', '%T On rows'],
  ]);
  assert.deepEqual(quick.fields('Text', text), []);
  assert.equal(quick.fields('ReferBibliographic', '%A x\n'.repeat(5000))[0]?.[1].split('\n').length, 1000);
});

test('URLs are published as the first rule that fits says, never as something that is no URL', () => {
  const rewriter = new UrlRewriter([
    { from: '^http://inside/(.*)', to: 'https://www.example.org/$1' },
    { from: '^ftp:.*', to: 'nothing' },
  ]);
  assert.equal(rewriter.published('http://inside/a'), 'https://www.example.org/a');
  assert.equal(rewriter.published('ftp://x/a'), 'ftp://x/a');
  assert.equal(rewriter.published('http://other/'), 'http://other/');
});

test('access methods are filled in with what is encoded, and only for the objects they fit', () => {
  const methods = new AccessMethods([
    {
      name: 'query',
      title: 'Query this table',
      url: 'http://q.example/?u={url}&t={Title}',
      condition: 'Type == "CSV"',
    },
    { name: 'run', title: 'Run', url: 'javascript:{Title}' },
    { name: 'other', title: 'Other', url: 'http://x/', condition: 'Type == "PDF"' },
  ]);
  assert.deepEqual(methods.fields(subject), [
    [
      'Access-Method',
      'query http://q.example/?u=http%3A%2F%2Fexample.org%2Fusers%2Fann%2Fa%20b.csv&t=rows Query this table',
    ],
  ]);
});
