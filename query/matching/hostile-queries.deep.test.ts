import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import { Regex } from '../regex/regex.ts';
import { regexBounds } from '../regex/syntax.ts';
import { parseQuery, queryBounds } from '../syntax/parser.ts';
import type { QueryNode } from '../syntax/tree.ts';
import { scanWords } from '../words/analysis.ts';
import { compileQuery } from './evaluator.ts';
import { matchedLines } from './matched-lines.ts';

// A longer run: GARNER_TEST_QUERIES=100000
const runs = Number(process.env.GARNER_TEST_QUERIES ?? 1500);

const store = Array.from({ length: 12 }, (_, at) =>
  summaryObject(`http://example.org/${at}`, [
    ['Title', `Object ${at} about proxies`],
    ['File-Size', at * 1000],
    ['Last-Modification-Time', 1_700_000_000 + at * 86_400],
    ['Full-Text', `The quick brown fox ${at} jumps. ${'aab '.repeat(20)}\n東京都 c++ node.js`],
  ]),
);

const piece = fc.constantFrom(
  ...[
    '(',
    ')',
    '"',
    '“',
    '-',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR/2',
    'Title:',
    'File-Size:',
    'a',
    'fox',
    ' ',
    ':',
    '*',
    '&',
  ],
  ...[
    '~',
    '~2',
    '~8',
    '~best',
    'pro*',
    '/',
    '/a+/',
    '/(a*)*b/',
    '/[^/',
    '\\',
    '|',
    '>5k',
    '<=',
    '1..',
    '2024-01',
    '30d',
  ],
  ...[
    '#case',
    '#part',
    '#errors 8',
    '#lines 3',
    '#max',
    '\ud800',
    '東',
    '\u0000',
    '{',
    '}',
    '[',
    ']',
    '^',
    '$',
    '\u202e',
  ],
);
const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
  fc.array(piece, { maxLength: 60 }).map((all) => all.join(' ')),
  fc.array(piece, { maxLength: 400 }).map((all) => all.join(' ')),
);

/** The cost of a query for an object: nodes, words compared letter by letter, states of its expressions. */
function costOf(node: QueryNode): {
  nodes: number;
  approximate: number;
  expressions: number;
  states: number;
} {
  const parts =
    node.kind === 'sequence'
      ? node.parts
      : 'operands' in node
        ? node.operands
        : 'operand' in node
          ? [node.operand]
          : [];
  const errors = node.kind === 'word' || node.kind === 'phrase' ? (node.errors ?? 0) : 0;
  const words = node.kind === 'word' ? node.word : node.kind === 'phrase' ? node.words.join(' ') : '';
  const own = {
    // The parts of a sequence are one leaf.
    nodes: 1,
    approximate: errors === 0 ? 0 : scanWords(words, () => false),
    expressions: node.kind === 'regex' ? 1 : 0,
    states: node.kind === 'regex' ? new Regex(node.pattern).states : 0,
  };
  for (const part of parts) {
    const cost = costOf(part);
    own.nodes += node.kind === 'sequence' ? 0 : cost.nodes;
    own.approximate += cost.approximate;
    own.expressions += cost.expressions;
    own.states += cost.states;
  }
  return own;
}

function assertBounded(query: QueryNode, text: string): number {
  const cost = costOf(query);
  assert.ok(cost.nodes <= queryBounds.nodes + 2, `${cost.nodes} nodes: ${text}`);
  assert.ok(cost.approximate <= queryBounds.approximate, `${cost.approximate} words with errors: ${text}`);
  assert.ok(cost.states <= regexBounds.states, `${cost.states} states: ${text}`);
  return cost.nodes;
}

/** Number of reads of a value to detect the language of its object. */
const beside = 12;

/** The same object, with a counter of reads of its values. */
function counted(object: SummaryObject, read: () => void): SummaryObject {
  const attributes = object.attributes.map(({ name, value }) => ({
    name,
    get value() {
      read();
      return value;
    },
  }));
  return { ...object, attributes };
}

function cpuMsOf(task: () => void): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test(`${runs} garbage queries are read and run on a store within bounds`, (context) => {
  let max = 0;
  let slowest = { cpuMs: 0, text: '' };
  const ask = (text: string) => {
    const { query, understood, notes } = parseQuery(text, { now: 1_800_000_000 });
    const nodes = assertBounded(query, text);
    const matches = compileQuery(query);
    let [found, read, values] = [0, 0, 0];
    for (const object of store) {
      values += object.attributes.length;
      if (matches(counted(object, () => read++))) found++;
    }
    // Each leaf looks at each value.
    assert.ok(read <= (nodes + beside) * values, `${read} values read for ${nodes} nodes: ${text}`);
    max = Math.max(max, read);
    for (const object of store.slice(0, 2)) matchedLines(object, query, 5);
    assert.ok(found <= store.length && understood !== undefined && notes.every((note) => note.length > 0));
  };
  fc.assert(
    fc.property(garbage, (text) => {
      const cpuMs = cpuMsOf(() => ask(text));
      if (cpuMs <= slowest.cpuMs) return;
      // Once more: the first may have collected the garbage of a thousand others.
      const again = Math.min(
        cpuMs,
        cpuMsOf(() => ask(text)),
      );
      if (again > slowest.cpuMs) slowest = { cpuMs: again, text };
    }),
    { numRuns: runs },
  );
  context.diagnostic(`most values read for a query: ${max}`);
  context.diagnostic(`slowest: ${slowest.cpuMs} ms of CPU: ${JSON.stringify(slowest.text.slice(0, 300))}`);
});

test('hostile texts become trees of bounded size', () => {
  for (const unit of [
    '(',
    ')',
    '"',
    '-',
    'NOT ',
    'a ',
    'a OR ',
    'Title:',
    'T:(',
    '“a ',
    'a:',
    '-(',
    '( ) ',
    'a NEAR ',
    'a NEAR (b OR ',
    '/a/ ',
    '/a{900}/ ',
    'T:>"',
    'a~8 ',
    '"a~ ',
    '#case ',
    '#errors 8 a ',
    '/',
    '/\\\\',
  ]) {
    const { query, notes } = parseQuery(unit.repeat(100_000));
    assertBounded(query, unit);
    assert.match(notes.join(), /only the first 4096/);
  }
});
