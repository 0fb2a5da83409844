import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { bindNegated } from './double-dash.ts';
import { runProgram } from './program.ts';
import type { Run, Verb } from './verb.ts';

const oid = `-KxF${'A'.repeat(39)}`;

/** Run a command line of a program with a few verbs, and resolve to its exit code and what it said of its mistakes. */
async function run(argv: readonly string[], ran: (run: Run) => Promise<undefined>) {
  const verb = (one: Omit<Verb, 'handler' | 'describe'>): Verb => ({ ...one, describe: 'a', handler: ran });
  let err = '';
  const stream = (said: (text: string) => void) =>
    Object.assign(new EventEmitter(), {
      write: (text: string, written?: () => void) => {
        said(text);
        written?.();
        return true;
      },
    });
  const program = {
    name: 'garner',
    version: '0',
    describe: 'a',
    groups: { broker: 'a', gatherer: 'a' },
    settings: async () => [],
    verbs: [
      verb({
        command: 'up [site]',
        positionals: { site: 'a' },
        options: { delay: { kind: 'text', describe: 'a' } },
      }),
      verb({ command: 'gatherer status' }),
      verb({ command: 'gatherer try <site>', positionals: { site: 'a' } }),
      verb({ command: 'broker search <query..>', positionals: { query: 'a' } }),
    ],
  };
  const code = await runProgram(program, argv, {
    stdout: stream(() => {}),
    stderr: stream((text) => {
      err += text;
    }),
    env: {},
    cwd: tmpdir(),
    interrupts: Object.assign(new EventEmitter(), { exit: () => assert.fail('exit') }),
  });
  return { code, err };
}

test('every word behind -- is an argument, of a verb that takes one and of one that takes many', async () => {
  const given: unknown[] = [];
  const note = async ({ args }: Run) => {
    given.push(args.text('site') ?? args.list('query'));
    return undefined;
  };
  for (const argv of [
    ['broker', 'search', '--', 'narwhal'],
    ['broker', 'search', '--', 'narwhal', '-x', '--json', '--'],
    ['up', '--', '--help'],
    ['up', '--delay', '5s', '--', '-'],
    ['up', '-', '--'],
    ['gatherer', 'try', '--', '-a'],
    ['gatherer', 'try', oid],
    ['up', '--delay', oid, oid],
  ]) {
    const { code, err } = await run(argv, note);
    assert.equal(code, 0, `${argv.join(' ')}: ${err}`);
  }
  assert.deepEqual(given, [
    ['narwhal'],
    ['narwhal', '-x', '--json', '--'],
    '--help',
    '-',
    '-',
    '-a',
    oid,
    oid,
  ]);
  for (const [argv, said] of [
    [['up', 'a', '--', '--b'], /unknown argument --b /],
    [['up', '--delay', '--', 'a'], /--delay needs a value, and -- is not one/],
    [['gatherer', 'status', '--', 'x'], /unknown argument x /],
  ] as const) {
    const { code, err } = await run(argv, () => assert.fail('ran'));
    assert.equal(code, 2, argv.join(' '));
    assert.match(err, said);
  }
});

test('an option that begins with no- and takes a value has it, and is the opposite of another without one', () => {
  const names = new Set(['no-proxy']);
  for (const [argv, bound] of [
    [
      ['run', '--no-proxy', 'a.example', 'b'],
      ['run', '--no-proxy=a.example', 'b'],
    ],
    [
      ['serve', '--no-proxy'],
      ['serve', '--no-proxy'],
    ],
    [
      ['serve', '--no-proxy', '--port', '0'],
      ['serve', '--no-proxy', '--port', '0'],
    ],
    [
      ['--no-proxy=a', '--no-color', 'b'],
      ['--no-proxy=a', '--no-color', 'b'],
    ],
    [
      ['--no-proxy', 'a', '--no-proxy', 'b'],
      ['--no-proxy=a', '--no-proxy=b'],
    ],
    [
      ['--no-proxy', '--', 'a'],
      ['--no-proxy', '--', 'a'],
    ],
    [
      ['x', '--', '--no-proxy', 'a'],
      ['x', '--', '--no-proxy', 'a'],
    ],
    [
      ['no-proxy', 'a'],
      ['no-proxy', 'a'],
    ],
  ])
    assert.deepEqual(bindNegated(argv ?? [], names), bound);
});
