import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCommand, temporaryFolder } from '../commands/command.ts';
import { type AskedCorpus, servedCorpus } from './asked-corpus.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let corpus: AskedCorpus;

before(async () => {
  folder = await temporaryFolder();
  corpus = await servedCorpus(folder);
});

after(async () => {
  await corpus.server.stop();
  await folder[Symbol.asyncDispose]();
});

const searched = async (...words: readonly string[]) =>
  runCommand(['broker', 'search', ...words, '--data', corpus.data]);

test('case b12: the JSON lines of a search have a limit and an offset', async () => {
  const titles = async (...options: readonly string[]) => {
    const { code, stdout, stderr } = await searched('harbour', '--jsonl', ...options);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => (JSON.parse(line) as { title: string }).title);
  };
  const all = await titles();
  assert.deepEqual([...all].sort(), ['Harbour news', 'Weather']);
  assert.deepEqual(await titles('--limit', '1'), all.slice(0, 1));
  assert.deepEqual(await titles('--limit', '2'), all);
  assert.deepEqual(await titles('--limit', '0'), []);
  assert.deepEqual(await titles('--offset', '1'), all.slice(1));
  assert.deepEqual(await titles('--offset', '1', '--limit', '1'), all.slice(1));
  assert.deepEqual(await titles('--offset', '2'), []);
  const wrong = await searched('harbour', '--jsonl', '--limit', 'two');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /^error: --limit takes a whole number/);
  assert.doesNotMatch(wrong.stderr, /\bat .*\.js:/);
});

test('case b13: hints of the command line are lines that work, and help and completion take words', async () => {
  const hint = async (...argv: readonly string[]) => {
    const { code, stderr } = await runCommand(argv);
    assert.equal(code, 2, argv.join(' '));
    return stderr.replaceAll('npx garner', 'garner').replaceAll(/node \S+garner\.js/g, 'garner');
  };
  assert.match(
    await hint('broker', 'search', '--data', 'DIR'),
    /<query\.\.> is missing .*\n {2}try {3}garner broker search QUERY --data DIR\n/,
  );
  assert.match(
    await hint('broker', 'search', 'news', '--bogus', '--data', 'DIR'),
    /unknown option --bogus .*\n {2}try {3}garner broker search --data DIR -- news --bogus {6}or/,
  );
  assert.match(
    await hint('broker', 'search', '--data', 'DIR', '-q'),
    /try {3}garner broker search QUERY --data DIR -q\n/,
  );
  assert.match(await hint('--config', 'DIR', 'broker', 'serch'), /did you mean search\?/);
  assert.match(
    await hint('broker', 'why', '--data', 'DIR', 'news'),
    /<oid> is missing .*\n {2}try {3}garner broker why news OID --data DIR\n/,
  );
  assert.match(
    await hint('completion', 'fish'),
    /try {3}garner completion bash {6}or {3}garner completion zsh/,
  );
  const help = await runCommand(['help', 'broker']);
  assert.equal(help.code, 0);
  assert.equal(help.stdout, (await runCommand(['broker', '--help'])).stdout);
  const { stdout: script } = await runCommand(['completion', 'bash']);
  const path = join(folder.path, 'completion.bash');
  await writeFile(path, script);
  // A stand-in for the program: what the script hands on and takes back is the contract.
  const typed = `garner() { shift; [ "$*" = "garner broker sea" ] && echo search; }
    . ${path}; COMP_WORDS=(garner broker sea); COMP_CWORD=2; _garner_completions; echo "$COMPREPLY"`;
  assert.equal(execFileSync('bash', ['-c', typed], { encoding: 'utf8' }), 'search\n');
});
