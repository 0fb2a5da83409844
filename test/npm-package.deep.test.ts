import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import { search, temporaryFolder, type UpReady } from './commands/command.ts';
import { folderOfPrograms, runInstalled, startInstalled } from './installed-program.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** The user that owns nothing. */
const nobody = 65_534;

/** What only tests, the bench and the compiler use. */
const testOnly =
  /(?:^|\/)(?:test|tests|testing|bench)\/|\.test\.|fixture|\.map$|^dist\/deploy\/|(?<!summariser\.d)\.ts$/;

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
  for (const path of ['dist/cli/garner.js', 'dist/web/client/search.js', 'web/search.css', 'docs/index.md'])
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
