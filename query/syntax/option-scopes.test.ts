import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ComparisonOptions } from './comparison.ts';
import { parseQuery } from './parser.ts';
import type { QueryNode } from './tree.ts';

/** A query of words side by side, parentheses, and options anywhere among them. */
type Part = string | { readonly option: ComparisonOptions } | { readonly group: readonly Part[] };

const option = fc
  .constantFrom<ComparisonOptions>(
    { case: true },
    { part: true },
    { errors: 0 },
    { errors: 2 },
    { errors: 'best' },
  )
  .map((one): Part => ({ option: one }));
const word = fc.constantFrom('Alpha', 'beta', 'Gamma~1', 'delta~best');
const { parts } = fc.letrec<{ parts: readonly Part[] }>((tie) => ({
  parts: fc.array(
    fc.oneof(
      { maxDepth: 3, depthIdentifier: 'group' },
      word,
      word,
      option,
      tie('parts').map((group): Part => ({ group: ['omega', ...group] })),
    ),
    { maxLength: 4 },
  ),
}));

const optionText = ({ case: exact, part, errors }: ComparisonOptions): string =>
  exact === true ? '#case' : part === true ? '#part' : `#errors ${errors}`;

const textOf = (all: readonly Part[]): string =>
  all
    .map((part) => {
      if (typeof part === 'string') return part;
      return 'option' in part ? optionText(part.option) : `(${textOf(part.group)})`;
    })
    .join(' ');

/** The options of a group, with any text before or behind; of two numbers the last. */
const saidIn = (all: readonly Part[]): ComparisonOptions =>
  Object.assign(
    {},
    ...all.flatMap((part) => (typeof part === 'object' && 'option' in part ? [part.option] : [])),
  );

/**
 * The words with their comparison: a group adds to the options around it, and its own number has precedence.
 */
function wordsOf(all: readonly Part[], around: ComparisonOptions): QueryNode[] {
  const said = { ...around, ...saidIn(all) };
  return all.flatMap((part): QueryNode[] => {
    if (typeof part !== 'string') return 'group' in part ? wordsOf(part.group, said) : [];
    const [text = '', mark] = part.split('~');
    const own = mark === undefined ? said.errors : mark === 'best' ? 'best' : Number(mark);
    return [
      {
        ...{ kind: 'word', word: text },
        ...(said.case === true && { case: true }),
        ...(said.part === true && { part: true }),
        ...(own !== undefined && { errors: own }),
      },
    ];
  });
}

const leavesOf = (node: QueryNode): QueryNode[] =>
  node.kind === 'and' ? node.operands.flatMap(leavesOf) : [node];

test('an option applies to all of its parentheses, before and behind it', () => {
  let inner = 0;
  fc.assert(
    fc.property(parts, (all) => {
      const query = ['first', ...all];
      const expected = wordsOf(query, {});
      assert.deepEqual(leavesOf(parseQuery(textOf(query)).query), expected, textOf(query));
      if (new Set(expected.map((leaf) => JSON.stringify({ ...leaf, word: '' }))).size > 1) inner++;
    }),
    { numRuns: 2000 },
  );
  assert.ok(inner > 300, `${inner} with words that differ`);
});

test('the place of an option among the words changes nothing', () => {
  const tokens = ['Title:', 'a', 'AND', '(b', 'OR', 'c)', 'NOT', 'd', 'NEAR/2', '"e f"', '-', 'g*'];
  const expected = parseQuery(`#case ${tokens.join(' ')}`);
  const inParentheses = [4, 5];
  for (const at of tokens.keys()) {
    if (inParentheses.includes(at)) continue;
    const text = tokens.toSpliced(at, 0, '#case').join(' ');
    assert.deepEqual(parseQuery(text).query, expected.query, text);
  }
});
