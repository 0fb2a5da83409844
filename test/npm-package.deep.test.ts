import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import { search, temporaryFolder, type UpReady } from './commands/command.ts';
import { folderOfPrograms, runInstalled, startInstalled } from './installed-program.ts';
import { declaredBy, examplesIn, libraryExports } from './library/declarations.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The user that owns nothing. */
const nobody = 65_534;

/** What only tests, the bench and the compiler use. */
const testOnly =
  /(?:^|\/)(?:test|tests|testing|bench)\/|\.test\.|fixture|\.map$|^dist\/deploy\/|(?<!\.d)\.ts$/;

/** Pack without the scripts: the build is here, and other tests run from it. */
async function pack(folder: string): Promise<{ readonly tarball: string; readonly files: string[] }> {
  const line = ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await runInstalled(line, { cwd: root });
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

test('the npm package holds what runs and nothing else', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder();
  const { tarball, files } = await pack(folder.path);
  assert.ok(tarball.endsWith(`garner-${version}.tgz`), tarball);
  assert.deepEqual(
    files.filter((path) => testOnly.test(path)),
    [],
  );
  const programs = files.filter((path) => path.endsWith('.js'));
  assert.deepEqual(
    programs.filter((path) => /from 'node:test'/.test(readFileSync(join(root, path), 'utf8'))),
    [],
  );
  for (const path of [
    'dist/library/wire.d.ts',
    'dist/cli/garner.js',
    'dist/web/client/search.js',
    'web/search.css',
    'docs/index.md',
  ])
    assert.ok(files.includes(path), `${path} is missing`);
  assert.ok(testOnly.test('dist/store/testing/world.js') && testOnly.test('dist/cli/up.js.map'));
});

test('it is installed by a user with node and npm alone, and searches a folder', {
  timeout: 600_000,
}, async () => {
  await using folder = await temporaryFolder();
  const { tarball } = await pack(folder.path);
  // npm runs the scripts of packages with the shell of the system.
  const programs = join(folder.path, 'programs');
  await folderOfPrograms(programs, ['node', 'npm', 'sh']);
  assert.equal((await readdir(programs)).length, 3);
  const home = join(folder.path, 'home');
  await mkdir(join(home, 'site'), { recursive: true });
  await writeFile(join(home, 'site/soup.md'), '# Onion soup\n\nPeel the onions and weep.\n');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await chmod(folder.path, 0o755);
    for (const path of [home, join(home, 'site'), join(home, 'site/soup.md')])
      await chown(path, nobody, nobody);
  }
  const asUser = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : [];
  // A prefix would hide how this machine reaches its registry.
  const { stdout: machine } = await runInstalled(['npm', 'config', 'get', 'globalconfig'], { cwd: root });
  const prefix = join(home, 'prefix');
  // setpriv is found by this PATH, the user's programs by the one that env sets.
  const user = (path: string) => [
    ...asUser,
    ...['/usr/bin/env', '-i', `HOME=${home}`, `PATH=${path}`, 'NO_COLOR=1'],
    ...[`npm_config_globalconfig=${machine.trim()}`, 'npm_config_update_notifier=false'],
  ];
  const install = ['npm', 'install', '--global', '--prefix', prefix, tarball];
  const { stderr } = await runInstalled([...user(programs), ...install], { cwd: home });
  assert.doesNotMatch(stderr, /npm error|EBADENGINE|gyp ERR|tsc: not found/);
  const path = `${programs}:${join(prefix, 'bin')}`;
  for (const name of ['garner', 'gatherer', 'broker']) {
    const { stdout } = await runInstalled([...user(path), name, '--version'], { cwd: home });
    assert.equal(stdout.trim(), version);
  }
  const up = ['garner', 'up', 'site', '--data', 'data', '--port', '0', '--site-port', '0', '--json'];
  await using server = await startInstalled<UpReady>([...user(path), ...up], { cwd: home });
  const { hits } = await search(server.ready.search, 'onions');
  assert.deepEqual(
    hits.map(({ title }) => title),
    ['Onion soup'],
  );
});

/** A program that uses each export, as a user writes it. */
const program = `
import assert from 'node:assert/strict';
import { type Cost, estimateCost, MemoryReplica, schemes } from 'garner/awareness';
import { BrokerClient, BrokerError, type SearchAnswer } from 'garner/client';
import { compileQuery, matchedLines, type ParsedQuery, parseQuery } from 'garner/query';
import { isGarnerError, parseSoif, printObject, type SummaryObject, summaryObject } from 'garner/soif';
import { connect, type Session, systemClock, systemRandom } from 'garner/wire';
import { identityFrom, newIdentitySecret } from 'garner/soif';

const object: SummaryObject = summaryObject('https://harbour.example/', [['Title', 'Moorings']]);
for await (const item of parseSoif([printObject(object)])) assert.deepEqual(item.object.url, object.url);
const parsed: ParsedQuery = parseQuery('Title: mooring');
assert.ok(compileQuery(parsed.query)(object));
assert.deepEqual(matchedLines(object, parsed.query, 1)[0]?.matches, [[0, 8]]);
const costs: Cost[] = schemes.map((scheme) =>
  estimateCost(scheme, { count: 10, held: 0, changes: undefined, want: 'objects' }),
);
assert.ok(costs.every(({ ms }) => ms > 0));
assert.equal(new MemoryReplica().size, 0);
const closed: Promise<Session> = connect({
  ...{ url: 'ws://127.0.0.1:9', name: 'program', role: 'client', clock: systemClock, random: systemRandom },
  identity: identityFrom(newIdentitySecret()),
});
await assert.rejects(closed, (error: unknown) => isGarnerError(error) && error.code === 'WIRE_UNREACHABLE');
const answer: Promise<SearchAnswer> = new BrokerClient('http://127.0.0.1:9').search({ q: 'x', sort: '-date' });
await assert.rejects(answer, (error: unknown) => error instanceof BrokerError && error.retry);
// @ts-expect-error a wrong order is noticed
void (() => new BrokerClient('http://127.0.0.1:9').search({ q: 'x', sort: 'colour' }));
console.log('all five');
`;

/** A page's script, without the types of Node.js. */
const browserProgram = `
import { BrokerClient, type SearchHit } from 'garner/client';

const hits: Promise<readonly SearchHit[]> = new BrokerClient(document.baseURI)
  .search({ q: 'mooring' }, { signal: AbortSignal.timeout(1000) })
  .then((answer) => answer.hits);
void hits;
`;

const strict = {
  ...{ strict: true, skipLibCheck: false, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
  ...{ target: 'es2023', rootDir: '.', types: ['node'], lib: ['es2023', 'esnext.disposable'] },
};
const projects = {
  'nodenext.json': { files: ['program.ts'], module: 'nodenext', outDir: 'out' },
  'bundler.json': { files: ['program.ts'], module: 'esnext', moduleResolution: 'bundler', noEmit: true },
  'browser.json': {
    ...{ files: ['browser.ts'], module: 'esnext', moduleResolution: 'bundler', noEmit: true },
    ...{ types: [], lib: ['es2023', 'dom'] },
  },
};

test('the installed package compiles and runs in a strict program, as nodenext and for a bundler', {
  timeout: 300_000,
}, async () => {
  await using folder = await temporaryFolder();
  const { tarball } = await pack(folder.path);
  const modules = join(folder.path, 'node_modules');
  await mkdir(join(modules, '@types'), { recursive: true });
  await runInstalled(['tar', '-xzf', tarball, '-C', modules]);
  await rename(join(modules, 'package'), join(modules, 'garner'));
  // Its dependencies, and of the types those of Node.js alone: a declaration that needs others does not compile.
  for (const name of await readdir(join(root, 'node_modules')))
    if (!name.startsWith('.') && name !== '@types' && name !== 'garner')
      await symlink(join(root, 'node_modules', name), join(modules, name));
  await symlink(join(root, 'node_modules/@types/node'), join(modules, '@types/node'));
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}');
  await writeFile(join(folder.path, 'program.ts'), program);
  await writeFile(join(folder.path, 'browser.ts'), browserProgram);
  const compile = (project: string) =>
    runInstalled([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
      cwd: folder.path,
    });
  for (const [name, { files, ...own }] of Object.entries(projects)) {
    const compilerOptions = { ...strict, ...own };
    await writeFile(join(folder.path, name), JSON.stringify({ compilerOptions, files }));
    await compile(name);
  }
  // The examples are JavaScript: only their parameters may lack a type.
  const examples = libraryExports(root)
    .flatMap(({ file }) => declaredBy(file))
    .flatMap(({ doc, members }) => [doc, ...members].flatMap(examplesIn));
  const files = examples.map((_, at) => `example-${at}.ts`);
  for (const [at, code] of examples.entries()) await writeFile(join(folder.path, files[at] ?? ''), code);
  const compilerOptions = { ...strict, noUncheckedIndexedAccess: false, module: 'nodenext', noEmit: true };
  await writeFile(join(folder.path, 'examples.json'), JSON.stringify({ compilerOptions, files }));
  const failed = await compile('examples.json').then(
    () => '',
    (error: unknown) => String(error),
  );
  assert.deepEqual(
    failed.split('\n').filter((line) => /error TS(?!7006)/.test(line)),
    [],
  );
  const { stdout } = await runInstalled([process.execPath, 'out/program.js'], { cwd: folder.path });
  assert.equal(stdout.trim(), 'all five');
});
