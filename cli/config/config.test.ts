import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { GarnerError, type Setting } from '../../kernel/index.ts';
import { checkConfig } from '../doctor/config-check.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig, variableOf } from './config.ts';
import { Mistakes } from './config-errors.ts';
import { readConfigFile } from './config-file.ts';
import { configJsonSchema } from './settings-schema.ts';

const table: Setting[] = [
  { key: 'gatherer.delay', kind: 'duration', default: 1, describe: 'Pause between requests' },
  { key: 'gatherer.max-object', kind: 'size', default: 65_536, describe: 'Largest object' },
  { key: 'gatherer.depth', kind: 'count', default: 3, min: 1, max: 10, describe: 'How deep' },
  { key: 'gatherer.robots', kind: 'flag', default: true, describe: 'Honour robots.txt' },
  { key: 'gatherer.text', kind: 'choice', choices: ['full', 'selected'], default: 'full', describe: 'Text' },
  {
    ...{ key: 'broker.collect', kind: 'list', default: [], describe: 'Gatherers' },
    ...{ entry: 'an address', example: '[ws://a:8500]' },
  },
  { key: 'broker.title', kind: 'text', default: 'Garner', describe: 'Name' },
  { key: 'broker.index.engine', kind: 'text', default: 'flexsearch', describe: 'Engine' },
  {
    ...{ key: 'http.admin-tokens', kind: 'list', default: [], secret: true, describe: 'Tokens' },
    ...{ entry: 'a token', example: '[a-long-secret]' },
  },
];

const inFile = (text: string) => effectiveConfig([table], { file: { name: 'garner.yaml', text } });

function thrown(run: () => unknown): GarnerError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof GarnerError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'nothing was thrown' });
}

test('flag goes before environment, environment before file, file before default', () => {
  const file = { name: 'garner.yaml', text: 'gatherer:\n  delay: 3s\n  depth: 4\n\n  text: selected\n' };
  const env = { GARNER_GATHERER_DELAY: '2m', GARNER_GATHERER_DEPTH: '5', HOME: '/x' };
  const argv = new Map([['gatherer.delay', { flag: '--delay', raw: '9s' }]]);
  const config = effectiveConfig([table.slice(0, 4), table.slice(4)], { argv, env, file });
  assert.equal(config.seconds('gatherer.delay'), 9);
  assert.equal(config.count('gatherer.depth'), 5);
  assert.equal(config.text('gatherer.text'), 'selected');
  assert.equal(config.bytes('gatherer.max-object'), 65_536);
  const shown = config.entries().map(({ key, shown, from }) => `${key} ${shown} ${from}`);
  assert.deepEqual(shown.slice(0, 5), [
    'gatherer.delay 9s flag --delay',
    'gatherer.max-object 64KiB default',
    'gatherer.depth 5 environment GARNER_GATHERER_DEPTH',
    'gatherer.robots true default',
    'gatherer.text selected file garner.yaml:5',
  ]);
  assert.equal(config.isGiven('gatherer.text'), true);
  assert.equal(config.isGiven('gatherer.robots'), false);
});

test('what stands wrong in a file is refused though a flag or a variable outweighs it', () => {
  const file = { name: 'garner.yaml', text: 'gatherer:\n  delay: 3s\n  robots: maybe\n' };
  const argv = new Map([['gatherer.robots', { flag: '--robots', raw: 'true' }]]);
  for (const outweighing of [{ argv }, { env: { GARNER_GATHERER_ROBOTS: 'no' } }, {}]) {
    const error = thrown(() => effectiveConfig([table], { ...outweighing, file }));
    assert.equal(error.code, 'CLI_BAD_SETTING');
    assert.equal((error.data as { at: string }).at, 'garner.yaml:3');
  }
});

test('a size for which 0 stands for something else is shown with that', () => {
  const max = { key: 'x.most', kind: 'size', default: 0, zero: 'no limit', describe: 'Most' } as const;
  const shown = (raw: string) =>
    effectiveConfig([[max]], { argv: new Map([['x.most', { flag: '--most', raw }]]) }).entries()[0]?.shown;
  assert.equal(shown('0'), '0 (no limit)');
  assert.equal(shown('1KiB'), '1KiB');
});

test('every kind is read from a file as people write it', () => {
  const config = inFile(`
# a comment
gatherer:
  delay: 500ms
  max-object: 10MB
  depth: 7
  robots: no
broker:
  collect: [ws://a:8500, "ws://b:8500"]
  title: 2026
broker.index.engine: glimpse
http: &h { admin-tokens: one-secret-token }
`);
  assert.equal(config.seconds('gatherer.delay'), 0.5);
  assert.equal(config.bytes('gatherer.max-object'), 10_000_000);
  assert.equal(config.number('gatherer.depth'), 7);
  assert.equal(config.flag('gatherer.robots'), false);
  assert.deepEqual(config.list('broker.collect'), ['ws://a:8500', 'ws://b:8500']);
  assert.equal(config.text('broker.title'), '2026');
  assert.equal(config.text('broker.index.engine'), 'glimpse');
  assert.deepEqual(config.list('http.admin-tokens'), ['one-secret-token']);
  assert.equal(config.entries().at(-1)?.shown, '(not shown)');
  for (const empty of ['', '# nothing\n', '---\n', '{}'])
    assert.equal(
      inFile(empty)
        .entries()
        .every(({ from }) => from === 'default'),
      true,
      empty,
    );
});

test('a mistake in a file names line and cure', () => {
  for (const [text, code, at, said] of [
    ['gatherer:\n  dleay: 3s\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:2', /did you mean gatherer\.delay\?/],
    ['gatherr:\n  delay: 3s\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:1', /did you mean gatherer\?/],
    ['zzz: 1\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:1', /garner config lists/],
    ['\n\ngatherer:\n  delay: 3\n', 'CLI_BAD_SETTING', 'garner.yaml:4', /10s, 5m/],
    ['gatherer:\n  depth: 11\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /from 1 to 10/],
    ['gatherer:\n  depth: 0\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /from 1 to 10/],
    ['gatherer:\n  depth: 1.5\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /whole number/],
    ['gatherer:\n  robots: maybe\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /true or false/],
    ['gatherer:\n  text: half\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /full, selected/],
    ['gatherer:\n  delay:\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /give it a value/],
    ['gatherer: 5\n', 'CLI_BAD_SETTING', 'garner.yaml:1', /indent/],
    ['gatherer:\n  delay: {a: 1}\n', 'CLI_BAD_SETTING', 'garner.yaml:2', /one line/],
    ['gatherer:\n  delay: 1s\ngatherer.delay: 2s\n', 'CLI_BAD_SETTING', 'garner.yaml:3', /keep one/],
    ['gatherer:\n  delay: 1s\n  delay: 2s\n', 'CLI_CONFIG_SYNTAX', 'garner.yaml:3', /key: value/],
    ['gatherer: [\n', 'CLI_CONFIG_SYNTAX', 'garner.yaml:2', /key: value/],
    ['- a\n', 'CLI_BAD_SETTING', 'garner.yaml:1', /key: value/],
    ['bare\n', 'CLI_BAD_SETTING', 'garner.yaml:1', /key: value/],
    ['port: 8600\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:1', /--port/],
    ['gatherer:\n  port: 99999\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:2', /--port/],
    ['? {a: b}\n: c\n', 'CLI_UNKNOWN_SETTING', 'garner.yaml:1', /./],
  ] as const) {
    const error = thrown(() => inFile(text));
    assert.equal(error.code, code, text);
    assert.equal((error.data as { at: string }).at, at, text);
    assert.match(error.hint, said, text);
    assert.equal(error.exit, 2);
  }
});

test('a mistake in a variable or a flag names it', () => {
  const env = thrown(() => effectiveConfig([table], { env: { GARNER_GATHERER_DELAY: 'soon' } }));
  assert.deepEqual(
    [env.code, (env.data as { at: string }).at],
    ['CLI_BAD_SETTING', 'environment GARNER_GATHERER_DELAY'],
  );
  const slip = thrown(() => effectiveConfig([table], { env: { GARNER_GATHERER_DLEAY: '1s' } }));
  assert.match(slip.hint, /did you mean GARNER_GATHERER_DELAY/);
  const port = thrown(() => effectiveConfig([table], { env: { GARNER_HTTP_PORT: '99999' } }));
  assert.match(port.hint, /--port/);
  effectiveConfig([table], { env: { GARNER_SOMETHING_ELSE: '1', GARNER_CONFIG: 'x' } });
  const argv = new Map([['gatherer.depth', { flag: '--depth', raw: 'x' }]]);
  assert.equal((thrown(() => effectiveConfig([table], { argv })).data as { at: string }).at, '--depth');
  const list = effectiveConfig([table], { env: { GARNER_BROKER_COLLECT: 'ws://a, ws://b  ws://c' } });
  assert.deepEqual(list.list('broker.collect'), ['ws://a', 'ws://b', 'ws://c']);
});

test('addresses and tokens that cannot be used are refused where the configuration is read', async () => {
  const checked = async (text: string) => {
    const mistakes = new Mistakes();
    const file = { name: 'garner.yaml', text };
    await checkConfig(effectiveConfig([allSettings], { file, mistakes }), mistakes);
    return () => mistakes.throwAny();
  };
  for (const address of ['http//a:8500', 'http://a:8500', 'ws:/a', 'ws://a:99999', ':8500', '""']) {
    const error = thrown(await checked(`broker:\n  name: x\n  collect: [ws://a:1, ${address}]\n`));
    assert.equal(error.code, 'CLI_BAD_SETTING', address);
    assert.ok(error.message.includes(address.replaceAll('"', '')), error.message);
    assert.equal((error.data as { at: string }).at, 'garner.yaml:3');
    assert.match(error.hint, /ws:\/\/127/);
  }
  (await checked('broker.collect: [ws://a:8500, wss://b.example/garner/wire, "c:8500", d.example/wire]\n'))();
  for (const broker of ['http://a:8501', 'ws:/a', ':8501', 'push:BoodWSM0bEbyJgdjkY6uDQ']) {
    const error = thrown(await checked(`gatherer:\n  push-to: [ws://a:1, ${broker}]\n`));
    assert.equal(error.code, 'CLI_BAD_SETTING', broker);
    assert.match(error.message, /gatherer\.push-to holds .*, which is not the address of a Broker/);
    assert.equal((error.data as { at: string }).at, 'garner.yaml:2');
  }
  (await checked('gatherer.push-to: [wss://search.example.org, "a:8501"]\n'))();
  const id = 'BoodWSM0bEbyJgdjkY6uDQ';
  (await checked(`broker.collect: [ws://a, push:${id}, push:harbour@CoodWSM0bEbyJgdjkY6uDQ]\n`))();
  const twice = thrown(await checked(`broker.collect: [push:${id}, push:harbour@${id}]\n`));
  assert.match(twice.message, /names the server of push:BoodWSM0bEbyJgdjkY6uDQ twice/);
  const slip = thrown(await checked(`broker.collect: [push:harbour@${id}x]\n`));
  assert.match(slip.hint, /push:ID\.KEY/);
  const short = thrown(await checked('http.admin-tokens: [hush]\n'));
  assert.deepEqual([short.code, (short.data as { at: string }).at], ['CLI_BAD_SETTING', 'garner.yaml:1']);
  assert.doesNotMatch(`${short.message} ${short.hint}`, /hush/);
});

test('a secret is in no message', () => {
  const secret = thrown(() => inFile('http:\n  admin-tokens: {hush: hush}\n'));
  assert.doesNotMatch(`${secret.message} ${secret.hint}`, /hush/);
});

test('programmers hear of unknown keys, wrong kinds and doubled settings', () => {
  const config = effectiveConfig([table], {});
  assert.throws(() => config.text('nope'), TypeError);
  assert.throws(() => config.seconds('gatherer.depth'), TypeError);
  assert.throws(() => effectiveConfig([table, table], {}), TypeError);
  assert.equal(variableOf('http.max-body'), 'GARNER_HTTP_MAX_BODY');
});

test('no file text does more than throw a typed error', () => {
  const pieces = fc.constantFrom(
    'gatherer',
    ':',
    ' ',
    '\n',
    '  ',
    '&a',
    '*a',
    '- ',
    '{',
    '}',
    '"',
    '!!x',
    '<<',
    '#',
    '|',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 30 }), (parts) => {
      try {
        inFile(parts.join(''));
      } catch (error) {
        assert.ok(error instanceof GarnerError, `${JSON.stringify(parts.join(''))}: ${String(error)}`);
      }
    }),
  );
  const bomb = Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at},*a${at}]`).join('\n');
  assert.throws(() => inFile(`a0: &a0 x\n${bomb}\n`), GarnerError);
  assert.throws(() => inFile('gatherer: &g\n  gatherer: *g\n'), GarnerError);
});

test('files are read whole, or refused by name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-config-'));
  try {
    const path = join(folder, 'garner.yaml');
    assert.equal(await readConfigFile(path, { mayBeAbsent: true }), undefined);
    await assert.rejects(readConfigFile(path), { code: 'CLI_CONFIG_UNREADABLE', message: /does not exist/ });
    await assert.rejects(readConfigFile(folder), { code: 'CLI_CONFIG_UNREADABLE', message: /is a folder/ });
    await assert.rejects(readConfigFile('/dev/zero'), { code: 'CLI_CONFIG_UNREADABLE', message: /larger/ });
    await writeFile(path, 'gatherer.delay: 2s');
    assert.deepEqual(await readConfigFile(path, { name: 'x' }), { name: 'x', text: 'gatherer.delay: 2s' });
    await writeFile(path, Buffer.alloc(1024 * 1024 + 1));
    await assert.rejects(readConfigFile(path), { code: 'CLI_CONFIG_UNREADABLE', message: /larger/ });
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Do something as a user who is bound by the modes of files. */
async function asOrdinaryUser(work: () => Promise<void>): Promise<void> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

test('a configuration file may be absent from a folder that this user may not enter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-config-'));
  try {
    const path = join(folder, 'garner.yaml');
    await writeFile(path, 'gatherer.delay: 2s');
    await chmod(path, 0);
    await chmod(folder, 0o755);
    await asOrdinaryUser(async () => {
      await assert.rejects(readConfigFile(path, { name: 'garner.yaml', mayBeAbsent: true }), {
        code: 'CLI_CONFIG_UNREADABLE',
        message: 'the configuration file garner.yaml in the current folder may not be read by this user',
        hint: 'change to another folder, or give --config FILE',
      });
      await assert.rejects(readConfigFile(path), {
        message: 'the configuration file may not be read by this user',
        hint: /^give an existing file/,
      });
    });
    await chmod(folder, 0);
    await asOrdinaryUser(async () => {
      assert.equal(await readConfigFile(path, { mayBeAbsent: true }), undefined);
      assert.equal(await readConfigFile(join(folder, 'no.yaml'), { mayBeAbsent: true }), undefined);
      await assert.rejects(readConfigFile(path), { code: 'CLI_CONFIG_UNREADABLE' });
    });
  } finally {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true });
  }
});

test('editors get a JSON Schema that nests as the file does', () => {
  const schema = configJsonSchema(table) as {
    additionalProperties: boolean;
    properties: Record<string, { properties: Record<string, Record<string, unknown>> }>;
  };
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(Object.keys(schema.properties), ['gatherer', 'broker', 'http']);
  const { gatherer, broker } = schema.properties;
  assert.deepEqual(gatherer?.properties.depth, {
    type: 'integer',
    minimum: 1,
    maximum: 10,
    description: 'How deep',
  });
  assert.deepEqual(Object.keys(broker?.properties.index?.properties ?? {}), ['engine']);
});

test('a port in the configuration is refused with that of the part that it is for', () => {
  const groups = ['cache', 'gatherer', 'broker'].map((name): Setting => {
    return { key: `${name}.name`, kind: 'text', default: '', describe: 'Name' };
  });
  for (const [name, port] of [
    ['cache', 3128],
    ['gatherer', 8500],
    ['broker', 8501],
  ] as const)
    for (const given of [
      { file: { name: 'garner.yaml', text: `${name}:\n  port: 80\n` } },
      { env: { [`GARNER_${name.toUpperCase()}_PORT`]: '80' } },
    ])
      assert.throws(() => effectiveConfig([groups], given), {
        code: 'CLI_UNKNOWN_SETTING',
        hint: `a port is given on the command line: --port ${port}`,
      });
});
