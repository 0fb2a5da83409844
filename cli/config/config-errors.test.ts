import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GarnerError } from '../../kernel/index.ts';
import { runProgram } from '../command/program.ts';
import { checkConfig, checkMachine } from '../doctor/config-check.ts';
import { groups } from '../verbs/groups.ts';
import { verbs } from '../verbs/verbs.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { Mistakes } from './config-errors.ts';
import type { MistakesData } from './errors.ts';

/** What is said of a configuration: each mistake as place, code and hint, and the warnings. */
async function said(text: string, env: Readonly<Record<string, string>> = {}) {
  const mistakes = new Mistakes();
  const file = { name: 'garner.yaml', text };
  const config = effectiveConfig([allSettings], { file, env, folder: '/', mistakes });
  await checkConfig(config, mistakes);
  const warnings = mistakes.warnings.map((warning) => `${warning.at} ${warning.text}`);
  try {
    mistakes.throwAny();
  } catch (error) {
    assert.ok(error instanceof GarnerError);
    if (error.code !== 'CLI_MISTAKES')
      return {
        faults: [`${mistakes.placeOf(error)} ${error.code} ${error.message}: ${error.hint}`],
        warnings,
        more: 0,
      };
    const { mistakes: all, more } = error.data as MistakesData;
    return {
      faults: all.map(({ at, code, message, hint }) => `${at} ${code} ${message}: ${hint}`),
      warnings,
      more,
    };
  }
  return { faults: [], warnings, more: 0 };
}

const lineAndCode = (faults: readonly string[]) => faults.map((fault) => fault.split(' ', 2).join(' '));

test('everything that is wrong is reported at once, in the order of the lines', async () => {
  const { faults } = await said(
    `gatherer:
  dleay: 3s
  threads: many
  rules:
    - if: 'Type =='
      delete: true
    - { set: { MD5: x } }
  roots:
    - https://a.example/
    - { url: nowhere, depth: none }
  summarisers: [{ type: Text, command: [cat] }, { type: text, module: ./x.js }]
broker:
  collect: [http//a]
fetch:
  credentials:
    - { url: 'https://a.example/', user: a, password-env: NOT_SET }
    - { url: 'https://b.example/', usr: b }
http:
  admin-tokens: [hush]
`,
    { GARNER_GATHERER_DEALY: '1s', GARNER_GATHERER_TTL: 'soon' },
  );
  assert.deepEqual(lineAndCode(faults), [
    'environment GARNER_GATHERER_TTL',
    'garner.yaml:2 CLI_UNKNOWN_SETTING',
    'garner.yaml:3 CLI_BAD_SETTING',
    'garner.yaml:5 RULE_CONDITION',
    'garner.yaml:7 RULE_SETTING',
    'garner.yaml:10 GATHERER_ROOT_NODE',
    'garner.yaml:10 GATHERER_ROOT_NODE',
    'garner.yaml:11 RULE_SETTING',
    'garner.yaml:13 CLI_BAD_SETTING',
    'garner.yaml:17 FETCH_CREDENTIALS',
    'garner.yaml:19 CLI_BAD_SETTING',
  ]);
  assert.match(faults.at(9) ?? '', /credentials\[1\]\.usr/);
  assert.doesNotMatch(faults.join(), /hush/);
});

test('of very many mistakes twenty are reported and the others counted', async () => {
  const lines = Array.from({ length: 5000 }, (_, at) => `zzz${at}: 1`);
  const { faults, more } = await said(lines.join('\n'));
  assert.deepEqual([faults.length, more], [20, 4980]);
});

test('doubled keys are each reported, and of other faults of syntax the first', async () => {
  const doubled = 'gatherer:\n  threads: 1\n  threads: 2\n  hidden: yes\n  hidden: no\n  zzz: 1\n';
  assert.deepEqual(lineAndCode((await said(doubled)).faults), [
    'garner.yaml:3 CLI_CONFIG_SYNTAX',
    'garner.yaml:5 CLI_CONFIG_SYNTAX',
    'garner.yaml:6 CLI_UNKNOWN_SETTING',
  ]);
  const broken = await said('zzz: 1\ngatherer: [\n{{{ ]] :\n');
  assert.deepEqual(lineAndCode(broken.faults).length, 1);
  assert.match(broken.faults[0] ?? '', /CLI_CONFIG_SYNTAX/);
});

test('a type that nothing has is refused wherever it is named, with the one that was meant', async () => {
  const { faults } = await said(`gatherer:
  stop: [Htlm]
  allow: [Nonsense]
  explode: [mbx]
  siblings:
    - { drop: PostScrip, beside: [Troff] }
    - { drop: PostScript, beside: [Trof, '*'] }
  quick-sum: [{ type: Txet, attribute: A, pattern: b }]
  summarisers: [{ type: Htlm, command: [cat] }]
  rules:
    - { if: 'URL && Type != "Htlm"', delete: true }
    - { if: 'Type == "html"', delete: true }
  access: [{ if: 'Type == "CSV"', name: a, title: A, url: 'https://a.example/{url}' }]
`);
  assert.deepEqual(
    faults.map((fault) => fault.replace(/^\S+:(\d+) .*: ([^:]*)$/, '$1 $2')),
    [
      '2 did you mean HTML?',
      '3 use the type names of the Type attribute, such as HTML, Text or Image',
      '4 did you mean mbox?',
      '6 did you mean PostScript? summarisers.md of the manual names every type',
      '7 did you mean Troff? summarisers.md of the manual names every type',
      '8 did you mean Text? summarisers.md of the manual names every type',
      '9 did you mean HTML? summarisers.md of the manual names every type',
      '11 did you mean HTML? summarisers.md of the manual names every type',
      '12 did you mean HTML? summarisers.md of the manual names every type',
      '13 did you mean CSS? summarisers.md of the manual names every type',
    ],
  );
});

test('a type of the operator’s own is known everywhere; one that is nearly Garner’s is doubted', async () => {
  const { faults, warnings } = await said(`gatherer:
  types-by-name:
    - { pattern: '\\.recipe$', type: Recipe }
    - { pattern: '\\.md$', type: Markdwon }
  stop: [recipe]
  siblings: [{ drop: Recipe, beside: [Markdwon] }]
  quick-sum: [{ type: Recipe, attribute: A, pattern: b }]
  summarisers: [{ type: Recipe, command: [cat] }]
  rules: [{ if: 'Type == "Recipe"', delete: true }]
`);
  assert.deepEqual(faults, []);
  assert.deepEqual(warnings, [
    'garner.yaml:4 gatherer.types-by-name[1] makes a type of its own, Markdwon; if Markdown is meant, write Markdown',
  ]);
});

test('an address that can never come of a rule is refused', async () => {
  const { faults, warnings } = await said(`gatherer:
  rewrite:
    - { from: '^http://a/(.*)', to: '/docs/$1' }
    - { from: '^http://a/(.*)', to: 'https://b/$2' }
    - { from: '^http://a/(?<rest>.*)', to: 'https://b/$<tail>' }
    - { from: 'inside\\.example', to: 'www.example.org' }
    - { from: '^(http://a/.*)', to: '$1?x=$$5' }
    - { from: '^http://a/(?<rest>.*)', to: 'https://b/$<rest>' }
  access:
    - { name: a, title: A, url: 'https://a.example/?t={Titel}' }
    - { name: b, title: B, url: '{url}' }
    - { name: c, title: C, url: 'https://a.example/{full text}' }
    - { name: d, title: D, url: 'https://a.example/{url}/{Keywords}/{author-1}/{DC-Title}' }
    - { name: e, title: E, url: 'https://a.example/{Zzzzzzzz}' }
`);
  assert.deepEqual(
    lineAndCode(faults),
    [3, 4, 5, 11, 12].map((line) => `garner.yaml:${line} RULE_SETTING`),
  );
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? '', /^garner\.yaml:10 .*no attribute Titel.*did you mean \{Title\}\?$/);
  assert.match(warnings[1] ?? '', /^garner\.yaml:14 .*no attribute Zzzzzzzz.* has none$/);
});

test('attributes that a rule sets or a pattern finds may be filled in', async () => {
  const { faults, warnings } = await said(`gatherer:
  quick-sum: [{ type: Text, attribute: Colour, pattern: b }]
  rules: [{ set: { Topic: a } }]
  access: [{ name: a, title: A, url: 'https://a.example/{Colour}/{topic}/{Author}' }]
`);
  assert.deepEqual([faults, warnings], [[], []]);
});

test('a mapping to a folder that is not there is a warning, one that cannot be meant is refused', async () => {
  const { faults, warnings } = await said(`gatherer:
  local-mapping:
    - { url: 'https://a.example/', path: /nowhere/at/all }
    - { url: 'https://a.example/', paht: /tmp }
    - { url: 'https://a.example', path: /tmp }
    - { url: 'https://b.example/', path: /tmp }
`);
  assert.deepEqual(lineAndCode(faults), ['garner.yaml:4 RULE_SETTING', 'garner.yaml:5 GATHERER_ROOT_NODE']);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /^garner\.yaml:3 .*\/nowhere\/at\/all is not there/);
});

test('an entry with several mistakes tells each, and a mistyped name not twice', async () => {
  const { faults } = await said(`gatherer:
  quick-sum:
    - { type: HTMLL, attribute: 'A B' }
    - { typ: HTML, attribute: 'A B', pattern: '(' }
  rules:
    - { if: 'Type =', set: { MD5: a }, zzz: 1 }
    - { if: 'Type == "HTMLL"', pipe: 5 }
  roots: [{ url: nowhere, depth: none, zzz: 3 }]
  siblings: [{ drop: Htlm }]
`);
  assert.deepEqual(
    faults.map((fault) =>
      fault.replace(/^\S+:(\d+) \S+ (?:gatherer\.\S+\.([\w-]+):|the (\w+)).*$/s, '$1 $2$3'),
    ),
    [
      ...['3 attribute', '3 pattern', '3 type'],
      ...['4 typ', '4 attribute', '4 regular'],
      ...['6 zzz', '6 condition', '6 MD5'],
      ...['7 pipe', '7 if'],
      ...['8 zzz', '8 url', '8 depth'],
      ...['9 beside', '9 drop'],
    ],
  );
});

test('credentials that a root names and nobody gives, and a path that is none, are refused', async () => {
  const { faults } = await said(`gatherer:
  roots:
    - { url: 'https://a.example/', credentials: intranet }
    - { url: 'https://b.example/', credentials: office }
    - mbox:box
    - file:///a%zz
fetch:
  credentials: [{ name: office, url: 'https://b.example/', user: a, password: b }]
`);
  assert.deepEqual(lineAndCode(faults), [
    'garner.yaml:3 FETCH_CREDENTIALS',
    'garner.yaml:5 GATHERER_ROOT_NODE',
    'garner.yaml:6 GATHERER_ROOT_NODE',
  ]);
  assert.match(faults[0] ?? '', /no credentials with the name intranet.*: office\.$/);
});

test('what is named and is not on this machine is reported: what a run refuses as a fault, the rest as a warning', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-machine-'));
  try {
    await mkdir(join(folder, 'work/.git'), { recursive: true });
    await writeFile(join(folder, 'sound.js'), '');
    await writeFile(join(folder, 'file'), '');
    const text = `gatherer:
  summarisers:
    - { type: Text, command: [/nowhere/at-all, x] }
    - { type: HTML, module: ./nothing.js }
    - { type: Image, module: ./sound.js }
  rules:
    - { pipe: { Title: [no-such-program], Author: cat }, filter: { attributes: [Title], command: no-such-filter } }
  roots:
    - program:/nowhere/program
    - { url: 'https://a.example/', enumeration: no-such-program }
    - file:///nowhere/folder
    - mbox:/nowhere/box
    - maildir:${folder}/file
    - git:${folder}
    - git:${folder}/work
    - mbox:${folder}/file
    - file://${folder}
fetch:
  credentials:
    - { url: 'https://b.example/', user: a, password-env: NOT_SET }
    - { url: 'https://c.example/', user: a, password-env: IS_SET }
`;
    const mistakes = new Mistakes();
    const config = effectiveConfig([allSettings], { file: { name: 'garner.yaml', text }, folder, mistakes });
    await checkConfig(config, mistakes);
    assert.deepEqual([mistakes.found, mistakes.warnings], [[], []], 'reported only on request');
    await checkMachine(config, mistakes, { IS_SET: 'x' });
    assert.deepEqual(
      mistakes.found.map(({ at, error }) => `${at} ${error.code} ${error.message.split(' ')[2]}`),
      [
        'garner.yaml:3 PROGRAM_ABSENT /nowhere/at-all',
        'garner.yaml:4 MODULE_ABSENT ./nothing.js',
        'garner.yaml:7 PROGRAM_ABSENT no-such-program',
        'garner.yaml:7 PROGRAM_ABSENT no-such-filter',
      ],
    );
    assert.deepEqual(
      mistakes.warnings.map(({ at, text: said }) => `${at.split(':')[1]} ${said.split(/: |;/)[1]}`),
      [
        '9 the program /nowhere/program cannot be started',
        '10 the program no-such-program cannot be started',
        '11 /nowhere/folder is not there',
        '12 /nowhere/box is not there',
        `13 ${folder}/file is no folder`,
        `14 ${folder} is no git repository`,
        '20 the environment variable NOT_SET is not set',
      ],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a root may be a URL alone, wherever it is given', () => {
  const roots = (input: Parameters<typeof effectiveConfig>[1]) =>
    effectiveConfig([allSettings], input).records('gatherer.roots');
  const file = (text: string) => ({ file: { name: 'garner.yaml', text: `gatherer.roots: ${text}\n` } });
  const [a, b] = ['https://a.example/', 'ftp://b.example/'];
  assert.deepEqual(roots(file(`[${a}, { url: '${b}', depth: 2 }]`)), [{ url: a }, { url: b, depth: 2 }]);
  assert.deepEqual(roots(file(a)), [{ url: a }]);
  assert.deepEqual(roots(file(`{ url: '${a}' }`)), [{ url: a }]);
  assert.deepEqual(roots({ env: { GARNER_GATHERER_ROOTS: a } }), [{ url: a }]);
  const argv = new Map([['gatherer.roots', { flag: '--roots', raw: `["${a}"]` }]]);
  assert.deepEqual(roots({ argv }), [{ url: a }]);
  for (const wrong of ['[[a]]', '5', '[5]', ''])
    assert.throws(() => roots(file(wrong)), { code: 'CLI_BAD_SETTING' }, wrong);
  // Where an entry is always a table a text is none.
  assert.throws(() => effectiveConfig([allSettings], { env: { GARNER_GATHERER_RULES: 'a' } }), {
    code: 'CLI_BAD_SETTING',
    hint: /such as \[\{ if:/,
  });
});

test('a list says what an entry is, by an example that is taken without a word', async () => {
  const lists = allSettings.filter((setting) => setting.kind === 'list' || setting.kind === 'records');
  assert.ok(lists.length > 20);
  for (const { key, entry, example } of lists) {
    assert.match(entry, /^\S.*[^.\s]$/, key);
    const { faults, warnings } = await said(`${key}: ${example}\n`);
    assert.deepEqual(faults, [], key);
    // The folder of an example is on no machine.
    assert.deepEqual(
      warnings.filter((warning) => !warning.includes('is not there')),
      [],
      key,
    );
  }
});

test('the command says every mistake with its line, and a warning stops nothing', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'garner-mistakes-'));
  const reported = async (...argv: string[]) => {
    let text = '';
    const stream = Object.assign(new EventEmitter(), {
      write: (part: string, written?: () => void) => {
        text += part;
        written?.();
        return true;
      },
    });
    const interrupts = Object.assign(new EventEmitter(), { exit: () => {} });
    const settings = async () => allSettings;
    const program = {
      name: 'garner',
      version: '0',
      describe: '',
      verbs,
      groups,
      settings,
      check: checkConfig,
    };
    const world = { stdout: stream, stderr: stream, env: {}, cwd, interrupts };
    return { code: await runProgram(program, argv, world), text };
  };
  try {
    const path = join(cwd, 'garner.yaml');
    await writeFile(path, 'gatherer:\n  zzz: 1\n  stop: [Htlm]\n');
    const two = await reported('config');
    assert.equal(two.code, 2);
    assert.match(two.text, /^error: unknown setting gatherer\.zzz .*\n {2}at {4}garner\.yaml:2\n/);
    assert.match(
      two.text,
      /\[GATHERER_UNKNOWN_TYPE\]\n {2}at {4}garner\.yaml:3\n {2}try {3}did you mean HTML\?\n$/,
    );
    const json = JSON.parse((await reported('config', '--json')).text).error;
    assert.equal(json.code, 'CLI_MISTAKES');
    assert.deepEqual(
      json.mistakes.map(({ at }: { at: string }) => at),
      ['garner.yaml:2', 'garner.yaml:3'],
    );
    await writeFile(path, 'gatherer:\n  stop: [Htlm]\n');
    assert.match((await reported('config')).text, /\[GATHERER_UNKNOWN_TYPE\]\n {2}at {4}garner\.yaml:2\n/);
    await writeFile(
      path,
      "gatherer:\n  local-mapping: [{ url: 'https://a.example/', path: /nowhere/at/all }]\n",
    );
    const warned = await reported('config');
    assert.equal(warned.code, 0);
    assert.match(warned.text, /^warning: .*\/nowhere\/at\/all is not there.*\(garner\.yaml:2\)$/m);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
