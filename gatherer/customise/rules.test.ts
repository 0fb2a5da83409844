import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessMethods } from './access-methods.ts';
import { PostRules } from './post-rules.ts';
import { QuickSum } from './quick-sum.ts';
import { soifFilterForm } from './summary-customisation.ts';
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

test('rules apply in order, each to the result of the one before', async () => {
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
  assert.deepEqual((await rules.apply(subject)).subject?.attributes, [
    ['Title', 'ROWS'],
    ['Time-to-Live', '86400'],
    ['Topic', 'people'],
  ]);
});

test('a filter sees the attributes it names, and its output replaces them', async () => {
  const rules = new PostRules(
    [{ instructions: [{ kind: 'filter', names: ['Author', 'Title'], command: ['upper'] }] }],
    upper,
    form,
  );
  assert.deepEqual((await rules.apply(subject)).subject?.attributes, [
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
  assert.deepEqual(await rules.apply(subject), { subject: undefined, failures: [] });
});

const broken = async () => {
  throw new Error('it broke');
};

test('when a program fails, the attributes it should have changed are left out, and every other rule applies', async () => {
  const rules = new PostRules(
    [
      { instructions: [{ kind: 'remove', name: 'Time-to-Live' }] },
      { instructions: [{ kind: 'filter', names: ['Author'], command: ['no'] }] },
      // A second program does not get attributes that the first did not process.
      { instructions: [{ kind: 'pipe', name: 'Author-1', command: ['no'] }] },
      { instructions: [{ kind: 'set', name: 'Topic', value: 'people' }] },
    ],
    broken,
    form,
  );
  const { subject: ruled, failures } = await rules.apply(subject);
  assert.deepEqual(ruled?.attributes, [
    ['Title', 'rows'],
    ['Topic', 'people'],
  ]);
  assert.deepEqual(
    failures.map(({ error, names }) => [String(error), names]),
    [['Error: it broke', ['Author']]],
  );
});

test('a rule deletes a summary by its attributes although a program failed', async () => {
  const pipe = { instructions: [{ kind: 'pipe' as const, name: 'Title', command: ['no'] }] };
  const remove = { condition: 'Title == "rows"', instructions: [{ kind: 'delete' as const }] };
  assert.equal((await new PostRules([pipe, remove], broken, form).apply(subject)).subject, undefined);
  const set = { instructions: [{ kind: 'set' as const, name: 'Title', value: 'x' }] };
  const { subject: kept } = await new PostRules([pipe, set, remove], broken, form).apply(subject);
  assert.deepEqual(kept?.attributes.at(-1), ['Title', 'x']);
});

test('an abort ends the program of a rule, and the rules', async () => {
  const abort = new AbortController();
  const waiting = (_: readonly string[], __: Uint8Array, signal?: AbortSignal) =>
    new Promise<Uint8Array>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  const pipe = { instructions: [{ kind: 'pipe' as const, name: 'Title', command: ['no'] }] };
  const applied = new PostRules([pipe], waiting, form).apply(subject, abort.signal);
  abort.abort(new Error('enough'));
  await assert.rejects(applied, /enough/);
});

test('an access method copes with a value that is cut within a character', () => {
  const methods = new AccessMethods([{ name: 'query', title: 'Query', url: 'http://q.example/?t={Title}' }]);
  const attributes = [['Title', `${'x'.repeat(1999)}\u{1f600}`]] as const;
  assert.match(methods.fields({ ...subject, attributes })[0]?.[1] ?? '', /%EF%BF%BD Query$/);
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

test('the first matching rule sets the published URL, and an invalid result is never published', () => {
  const rewriter = new UrlRewriter([
    { from: '^http://inside/(.*)', to: 'https://www.example.org/$1' },
    { from: '^ftp:.*', to: 'nothing' },
  ]);
  assert.equal(rewriter.published('http://inside/a'), 'https://www.example.org/a');
  assert.equal(rewriter.published('ftp://x/a'), 'ftp://x/a');
  assert.equal(rewriter.published('http://other/'), 'http://other/');
});

test('access methods get encoded values, only for the objects that they fit', () => {
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

test('a filter’s output replaces the attributes, and the Gatherer’s own attributes stay', async () => {
  const rules = new PostRules(
    [{ instructions: [{ kind: 'filter', names: ['Keywords', 'MD5'], command: ['x'] }] }],
    async () => Buffer.from('{"Title":"New","Keywords":"k"}'),
    soifFilterForm,
  );
  const { subject } = await rules.apply({
    url: 'http://x/',
    type: 'HTML',
    attributes: [
      ['Title', 'Old'],
      ['Keywords', 'old'],
      ['MD5', 'abc'],
    ],
  });
  assert.deepEqual(subject?.attributes, [
    ['MD5', 'abc'],
    ['Title', 'New'],
    ['Keywords', 'k'],
  ]);
});
