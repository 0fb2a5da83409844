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

interface Answer {
  readonly total: number;
  readonly relaxed: boolean;
  readonly notes: readonly string[];
  readonly hits: readonly { readonly title: string; readonly url: string }[];
  readonly sources: readonly { readonly id: string; readonly name: string }[];
  readonly error?: { readonly message: string };
}

async function asked(query: string): Promise<Answer & { readonly status: number }> {
  const response = await fetch(new URL(`/search?${query}`, corpus.address));
  return { ...((await response.json()) as Answer), status: response.status };
}

const titled = ({ hits }: Answer) => hits.map(({ title }) => title).sort();

test('case b03: a text with a colon is searched as text, and the answer says so', async () => {
  for (const [q, title] of [
    ['Error: ENOENT', 'Errors'],
    ['TypeError: Cannot read property', 'Errors'],
    ['Troubleshooting: installation', 'Troubleshooting: installation'],
    ['Getting: started', 'Getting: started'],
    ['http: error', 'Errors'],
    ['app:setTimeout', 'Application script'],
    ['client:connect', 'Application script'],
  ] as const) {
    const answer = await asked(`q=${encodeURIComponent(q)}`);
    assert.ok(titled(answer).includes(title) && !answer.relaxed, `${q}: ${titled(answer)}`);
    assert.match(answer.notes.join(), /no object has an attribute "\w+": it was searched as text/, q);
  }
  const near = await asked('q=Autor:+Lovelace');
  assert.match(near.notes.join(), /did you mean Author\?/);
  const own = await asked('q=Author:+Lovelace');
  assert.deepEqual([titled(own), own.notes], [['Weather'], []]);
});

test('case b17: what means nothing is refused or noted, with what there is', async () => {
  // A program that sends a parameter which the server ignores gets another answer than it asks for: the API refuses.
  for (const [query, said] of [
    ['q=the&filter=foo:bar', /the facets here are year, month/],
    ['q=the&filter=yaer:2024', /did you mean year\?/],
    ['q=the&filter=type:HTML', /type is a parameter of its own/],
    ['q=the&filter=year:20x4', /write it as in year:2024/],
    ['q=the&filter=month:2024-13', /write it as in month:2024-06/],
    ['q=the&filter=year', /must be written as NAME:VALUE/],
    ['q=the&bogus=1', /parameter bogus is unknown to \/search: there are q, limit/],
    ['q=the&limt=1', /did you mean limit\?/],
    ['q=a&q=b', /parameter q is given 2 times/],
    ['q=a&widen=maybe', /widen must be /],
    ['q=a&sort=newest', /must be one of relevance/],
  ] as const) {
    const { status, error } = await asked(query);
    assert.equal(status, 400, query);
    assert.match(error?.message ?? '', said, query);
  }
  for (const path of ['/complete?q=a&bogus=1', '/status?bogus=1', '/views?limt=1', '/statistics?q=a&q=b'])
    assert.equal((await fetch(new URL(path, corpus.address))).status, 400, path);
  assert.equal((await asked('q=harbour&utm_source=mail&fbclid=x')).status, 200);
  const unknown = await asked('q=harbour&source=nope');
  const [own] = unknown.sources;
  assert.equal(unknown.total, 0);
  assert.ok(unknown.notes.join().includes(`no source is called nope: there are ${own?.name}`));
  for (const source of [own?.id, own?.name, own?.name.toUpperCase()]) {
    const answer = await asked(`q=harbour&source=${encodeURIComponent(source ?? '')}`);
    assert.deepEqual([answer.total, answer.notes], [2, []], source);
  }
  const type = await asked('q=harbour&type=Markdwon');
  assert.match(
    type.notes.join(),
    /no type of the objects found is called Markdwon: .*did you mean Markdown\?/,
  );
  const today = new Date().toISOString().slice(0, 10);
  const day = await asked(`q=harbour+Last-Modification-Time:+${today}`);
  assert.deepEqual([day.total, day.notes], [2, []]);
  for (const time of ['2024-13', '%22last+week%22', 'yesterday']) {
    const { total, notes } = await asked(`q=harbour+Last-Modification-Time:+${time}`);
    assert.equal(total, 0);
    assert.match(notes.join(), /is not a time: write Last-Modification-Time: 2024-06-30/);
  }
  const page = async (query: string) => (await fetch(new URL(`/?${query}`, corpus.address))).text();
  assert.match(await page('q=harbour&bogus=1'), /a parameter bogus, which does nothing/);
  assert.match(await page('q=harbour&q=rain'), /more than one q: the first was used/);
  assert.match(await page('q=harbour&sort=newest'), /cannot be sorted by newest/);
  assert.doesNotMatch(await page('q=harbour&utm_source=mail&fbclid=x'), /does nothing/);
});

test('case b32: operators of search engines of the Web mean the same here', async () => {
  const titles = async (q: string) => titled(await asked(`q=${encodeURIComponent(q)}`));
  const [{ url } = { url: '' }] = (await asked('q=Title:+Weather')).hits;
  assert.match(url, /weather\.html$/);
  for (const [q, expected] of [
    ['ferry | rain', ['Harbour news', 'Weather']],
    ['ferry || rain', ['Harbour news', 'Weather']],
    ['ferry|rain -wind', ['Harbour news']],
    ['("made of glass" | ferry) -harbour', ['Glass']],
    ['filetype:html', ['Weather']],
    ['harbour filetype:md', ['Harbour news']],
    ['harbour -filetype:md', ['Weather']],
    ['intitle:news', ['Harbour news']],
    ['harbour -intitle:news', ['Weather']],
    ['inurl:news', ['Harbour news', 'Weather']],
    ['harbour after:2001', ['Harbour news', 'Weather']],
    ['harbour before:2001', []],
  ] as const)
    assert.deepEqual(await titles(q), expected, q);
  const part = await asked(`q=${encodeURIComponent('*eather')}`);
  assert.deepEqual([titled(part), part.notes.length], [['Weather'], 1]);
  for (const q of ['-', 'n?ws']) assert.ok((await asked(`q=${encodeURIComponent(q)}`)).notes.length > 0, q);
});
