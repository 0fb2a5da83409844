import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { defineErrors, failure, type Setting } from '../../kernel/index.ts';
import { type Program, runProgram, type World } from './program.ts';
import type { Spell } from './spelling.ts';
import { type Run, type Verb, verbsOfGroup } from './verb.ts';

const settings: Setting[] = [
  { key: 'gatherer.delay', kind: 'duration', default: 1, describe: 'Pause between requests' },
  { key: 'gatherer.robots', kind: 'flag', default: true, describe: 'Honour robots.txt' },
  { key: 'gatherer.port', kind: 'count', default: 8500, describe: 'Port' },
  { key: 'broker.port', kind: 'count', default: 8501, describe: 'Port' },
  { key: 'broker.collect', kind: 'list', default: [], describe: 'Gatherers', entry: 'a', example: '[a]' },
];

const testErrors = defineErrors({
  TEST_HINT: {
    message: () => 'not so',
    hint: () => 'run garner gatherer run, as npx garner up does not',
    exit: 1,
    retry: 'never',
  },
  TEST_NONE: { message: () => 'no store here', hint: () => 'gatherer run', exit: 10, retry: 'never' },
});

/** The verbs tell what they were given through `ran`. */
function program(ran: (name: string, run: Run) => Promise<number | undefined>): Program {
  const verb = (one: Omit<Verb, 'handler'>): Verb => ({ ...one, handler: (run) => ran(one.command, run) });
  return {
    name: 'garner',
    version: '1.2.3',
    describe: 'Federated search',
    groups: { gatherer: 'Gather sites', broker: 'Collect and search' },
    settings: async () => settings,
    verbs: [
      verb({
        command: 'up [site]',
        describe: 'Everything at once',
        positionals: { site: 'folder or URL' },
        examples: [['up ./docs', 'search a folder']],
        settings: async () => settings,
        shownSettings: ['gatherer.delay', 'gatherer.robots', 'broker.collect'],
      }),
      verb({
        command: 'gatherer run',
        describe: 'Gather once',
        options: {
          data: { kind: 'text', describe: 'Data folder', required: true, alias: 'd' },
          limit: { kind: 'count', describe: 'Objects', default: 5 },
          root: { kind: 'list', describe: 'Root' },
          force: { kind: 'flag', describe: 'Again' },
          delay: { kind: 'text', describe: 'takes the short name' },
        },
        examples: [['gatherer run --data x', 'gather']],
        settings: async () => [...settings.slice(0, 3), ...settings.slice(0, 1)],
      }),
      verb({
        command: 'gatherer status',
        describe: 'What is there',
        options: { port: { kind: 'port', describe: 'Port', default: 8500 } },
      }),
      verb({ command: 'broker search <query..>', describe: 'Search', positionals: { query: 'words' } }),
    ],
  };
}

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(
  argv: readonly string[],
  ran: (name: string, run: Run) => Promise<number | undefined> = async () => undefined,
  world: Partial<World> = {},
  spell: Spell = (name) => name,
): Promise<Ended> {
  let out = '';
  let err = '';
  const stream = (write: (text: string) => void) =>
    Object.assign(new EventEmitter(), {
      write: (text: string, written?: () => void) => {
        write(text);
        written?.();
        return true;
      },
    });
  const code = await runProgram({ ...program(ran), spell }, argv, {
    stdout: stream((text) => {
      out += text;
    }),
    stderr: stream((text) => {
      err += text;
    }),
    env: {},
    cwd: tmpdir(),
    interrupts: Object.assign(new EventEmitter(), { exit: () => assert.fail('exit') }),
    ...world,
  });
  return { code, out, err };
}

test('a lone dash reaches the verb', async () => {
  const given: (string | undefined)[] = [];
  const note = async (_: string, { args }: Run) => {
    given.push(args.text('site'));
    return undefined;
  };
  await run(['up', '-'], note);
  await run(['up', ''], note);
  assert.deepEqual(given, ['-', '']);
});

test('a verb gets its arguments and options by kind', async () => {
  const { code, out } = await run(
    ['gatherer', 'run', '-d', '007', '--limit', '7', '--root', 'a', '--root', 'b', '--force'],
    async (name, { args, output }) => {
      const got = [name, args.required('data'), args.count('limit'), args.list('root'), args.flag('force')];
      await output.data(JSON.stringify(got));
      assert.throws(() => args.count('data'), TypeError);
      return 3;
    },
  );
  assert.equal(code, 3);
  assert.deepEqual(JSON.parse(out), ['gatherer run', '007', 7, ['a', 'b'], true]);
});

test('words stay words, and what stands behind -- is an argument', async () => {
  const { out } = await run(
    ['broker', 'search', '2024', '1e3', '--', '--not', '-x'],
    async (_name, { args, output }) => {
      await output.data(args.list('query').join('|'));
      return undefined;
    },
  );
  assert.equal(out, '2024|1e3|--not|-x\n');
});

test('settings are flags: short where free, whole always, and where they came from is kept', async () => {
  const seen: string[] = [];
  const look = async (_name: string, { config }: Run) => {
    for (const { key, shown, from } of (await config()).entries()) seen.push(`${key}=${shown} ${from}`);
    return undefined;
  };
  await run(
    [
      'up',
      '--delay',
      '5m',
      '--no-robots',
      '--broker-port',
      '9',
      '--collect',
      'ws://a',
      '--collect',
      'ws://b',
    ],
    look,
  );
  assert.deepEqual(seen, [
    'gatherer.delay=5m flag --delay',
    'gatherer.robots=false flag --robots',
    'gatherer.port=8500 default',
    'broker.port=9 flag --broker-port',
    'broker.collect=ws://a, ws://b flag --collect',
  ]);
  const ambiguous = await run(['up', '--port', '9'], look);
  assert.equal(ambiguous.code, 2, 'two settings are called port');
  seen.length = 0;
  await run(['gatherer', 'run', '-d', 'x', '--gatherer-delay', '7s', '--port', '1'], look);
  assert.deepEqual(seen.slice(0, 3), [
    'gatherer.delay=7s flag --gatherer-delay',
    'gatherer.robots=true default',
    'gatherer.port=1 flag --port',
  ]);
});

test('garner.yaml of the current folder counts, or the one that is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-program-'));
  try {
    await writeFile(join(folder, 'garner.yaml'), 'gatherer:\n  delay: 9s\n');
    await writeFile(join(folder, 'other.yaml'), 'gatherer:\n  dely: 9s\n');
    const look = async (_name: string, { config, output }: Run) => {
      const [entry] = (await config()).entries();
      await output.data(`${entry?.shown} ${entry?.from}`);
      return undefined;
    };
    assert.equal((await run(['up'], look, { cwd: folder })).out, '9s file garner.yaml:2\n');
    const named = await run(['up', '--config', 'other.yaml'], look, { cwd: folder });
    assert.equal(named.code, 2);
    assert.match(
      named.err,
      /unknown setting gatherer\.dely .*\n {2}at {4}other\.yaml:2\n {2}try {3}did you mean gatherer\.delay\?/,
    );
    const absent = await run(['up'], look, { cwd: folder, env: { GARNER_CONFIG: 'none.yaml' } });
    assert.match(absent.err, /does not exist .*CLI_CONFIG_UNREADABLE/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a wrong command line is reported in one error and the way to help, never the help itself', async () => {
  for (const [argv, said, help] of [
    [[], /no command given/, 'garner --help'],
    [['gatherer'], /no command given after gatherer/, 'garner gatherer --help'],
    [['gatherer', 'rnu'], /did you mean run\?/, 'garner gatherer --help'],
    [['upp'], /unknown verb upp; did you mean up\?/, 'garner --help'],
    [['status'], /unknown verb status; did you mean gatherer status\?/, 'garner --help'],
    [['./public'], /did you mean up \.\/public\?/, 'garner --help'],
    [['elsewhere'], /unknown verb elsewhere /, 'garner --help'],
    [['gatherer', 'run'], /missing required argument: data/, 'garner gatherer run --help'],
    ...['many', '', '-1'].map(
      (limit) =>
        [
          ['gatherer', 'run', '-d', 'x', '--limit', limit],
          /--limit takes a whole number from 0 /,
          '--limit 10      or   garner gatherer run --help',
        ] as const,
    ),
    [
      ['gatherer', 'run', '-d', ''],
      /--data is empty/,
      'give --data a value, or omit it      or   garner gatherer run --help',
    ],
    ...['99999', '65536', '-1', 'abc', '1.5', '', '0x10', '1e3'].map(
      (port) =>
        [
          ['gatherer', 'status', '--port', port],
          /--port takes a port, a whole number from 0 to 65535/,
          '--port 0 for any free port      or   garner gatherer status --help',
        ] as const,
    ),
    [
      ['gatherer', 'run', '-d', 'x', '--forse'],
      /unknown option --forse/,
      '--force      or   garner gatherer run --help',
    ],
    [
      ['gatherer', 'run', '-d', 'x', '--gatherer.delay=3s'],
      /unknown option --gatherer\.delay/,
      '--gatherer-delay      or   garner gatherer run --help',
    ],
    [
      ['gatherer', 'run', '-d', 'x', '--ab', '--cd=1'],
      /unknown options --ab, --cd/,
      'garner gatherer run --help',
    ],
    [['up', '--delay'], /not enough arguments following: delay/i, 'garner up --help'],
    [['up', 'a', 'b'], /unknown argument b/, 'garner up --help'],
    [['broker', 'search'], /<query\.\.> is missing/, 'garner broker search --help'],
    [['gatherer', 'run', '-d', 'zap', 'zap'], /unknown argument zap/, 'garner gatherer run --help'],
    [
      ['broker', 'search', '-word'],
      /<query\.\.> is missing/,
      'garner broker search -- -word      or   garner broker search --help',
    ],
    [
      ['broker', 'search', 'a b', '-word', '--json'],
      /unknown option -word/,
      "garner broker search --json -- 'a b' -word      or   garner broker search --help",
    ],
  ] as const) {
    const { code, out, err } = await run(argv, () => assert.fail('ran'));
    assert.equal(code, 2, argv.join(' '));
    assert.equal(out, '');
    if (argv.some((word) => word === '--json')) {
      assert.match(JSON.parse(err).error.message, said);
      assert.equal(JSON.parse(err).error.hint, help);
      continue;
    }
    const lines = err.trimEnd().split('\n');
    assert.equal(lines.length, 2, err);
    assert.match(lines[0] ?? '', said);
    assert.match(lines[0] ?? '', /\[CLI_USAGE\]$/);
    assert.equal(lines[1], `  try   ${help}`);
  }
});

test('help, version and completion are data and run nothing', async () => {
  const ran = () => assert.fail('ran');
  const help = await run(['--help'], ran);
  assert.equal(help.code, 0);
  assert.match(help.out, /garner up \[site\] +Everything at once\n +garner gatherer +Gather sites/);
  assert.match(help.out, /Exit codes: 0 done, 1 failed, 2 wrong usage/);
  const verb = await run(['up', '--help'], ran);
  assert.match(verb.out, /garner up \.\/docs +search a folder/);
  assert.match(verb.out, /Settings for gathering:\n +--delay +Pause between requests\n/);
  assert.match(verb.out, / +--robots +Honour robots\.txt; --no-robots turns it off\n/);
  assert.match(verb.out, /Settings for collecting and searching:\n +--collect +Gatherers\n/);
  assert.doesNotMatch(verb.out, /gatherer-delay|broker-port/);
  assert.equal((await run(['--version'], ran)).out, '1.2.3\n');
  assert.equal((await run(['help', 'up'], ran)).out, verb.out);
  assert.match((await run(['gatherer', 'help'], ran)).out, /garner gatherer run/);
  assert.equal((await run(['broker', 'search', 'help'], async () => 7)).code, 7, 'a word of the query');
  assert.match((await run(['completion'], ran)).out, /complete -o bashdefault/);
  assert.match((await run(['completion', 'bash'], ran, { env: { SHELL: '/bin/zsh' } })).out, /complete -o/);
  assert.match((await run(['completion'], ran, { env: { SHELL: '/bin/zsh' } })).out, /^#compdef garner/);
  for (const [words, expected] of [
    [['garner', 'ga'], ['gatherer']],
    [
      ['garner', ''],
      ['up', 'gatherer', 'broker', 'completion', 'help'],
    ],
    [
      ['garner', 'gatherer', ''],
      ['run', 'status'],
    ],
    [['garner', 'gatherer', 'run', '--fo'], ['--force']],
    [['garner', 'up', '--de'], ['--delay']],
    [['garner', 'zzz', ''], []],
  ] as const) {
    const { out } = await run(['--get-yargs-completions', ...words], ran);
    assert.deepEqual(out.split('\n').filter(Boolean), expected, words.join(' '));
  }
});

test('commands are named as the person types them', async () => {
  const spell = (name: string) => `npx ${name}`;
  assert.equal(
    (await run(['gatherer', 'rnu'], undefined, {}, spell)).err.split('\n')[1],
    '  try   npx garner gatherer --help',
  );
  const hint = failure(testErrors.TEST_HINT, {});
  const fails = async () => {
    throw hint;
  };
  const reported = await run(['up'], fails, {}, spell);
  assert.equal(reported.err.split('\n')[1], '  try   run npx garner gatherer run, as npx garner up does not');
  const help = await run(['up', '--help'], undefined, {}, spell);
  assert.match(help.out, /^npx garner up \[site\][\s\S]*\n {2}npx garner up \.\/docs /);
  const long = await run(['up', '--help'], undefined, {}, (name) => `node /opt/${name}.js`);
  assert.match(long.out, /^garner up \[site\]/);
  assert.match((await run(['completion'], undefined, {}, spell)).out, /-F _garner_completions garner\n/);
});

test('how a verb ends is the exit code', async () => {
  const throws = (error: unknown) => async () => {
    throw error;
  };
  const none = await run(['up'], throws(failure(testErrors.TEST_NONE, {})));
  assert.deepEqual([none.code, none.err.split('\n')[1]], [10, '  try   gatherer run']);
  assert.equal((await run(['up'], throws(new TypeError('oops')))).code, 1);
  const json = await run(['up', '--json'], throws(failure(testErrors.TEST_NONE, {})));
  assert.equal(JSON.parse(json.err).error.code, 'TEST_NONE');
  const usage = await run(['up', '--json', '--nope']);
  assert.equal(JSON.parse(usage.err).error.code, 'CLI_USAGE');
});

test('Ctrl-C reaches the verb as a signal, and its end is 130', async () => {
  const interrupts = Object.assign(new EventEmitter(), { exit: () => assert.fail('exit') });
  const ended = await run(
    ['up'],
    async (_name, { signal }) => {
      interrupts.emit('SIGINT');
      assert.equal(signal.aborted, true);
      return undefined;
    },
    { interrupts },
  );
  assert.equal(ended.code, 130);
  assert.match(ended.err, /^stopping: finishing/);
  assert.equal(interrupts.listenerCount('SIGINT'), 0);
});

test('the verbs of one group stand alone under its own name', () => {
  const alone = verbsOfGroup(program(async () => undefined).verbs, 'gatherer');
  assert.deepEqual(
    alone.map(({ command }) => command),
    ['run', 'status'],
  );
  assert.deepEqual(alone[0]?.examples, [['run --data x', 'gather']]);
});

test('starting loads nothing heavy: only yargs is imported before a verb runs', () => {
  const here = dirname(fileURLToPath(import.meta.url));
  // The entry points are the verbs' own business; they are walked when they are there.
  const entries = ['program.js', 'garner.js', 'gatherer.js', 'broker.js'].map((name) => join(here, name));
  const seen = new Set<string>();
  const libraries = new Set<string>();
  const walk = (path: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    for (const [, specifier = ''] of readFileSync(path, 'utf8').matchAll(
      /^(?:import|export\b.*from|import\b.*from)\s*['"]([^'"]+)['"]/gm,
    ))
      if (specifier.startsWith('.')) walk(join(dirname(path), specifier));
      else if (!specifier.startsWith('node:')) libraries.add(specifier);
  };
  for (const entry of entries) walk(entry);
  assert.ok(seen.size > 8, [...seen].join(' '));
  assert.deepEqual([...libraries], ['yargs']);
});
