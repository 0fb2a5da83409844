import assert from 'node:assert/strict';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { allSettings, verbs, wordsOf } from '../cli/index.ts';
import { checkout } from './checkout.ts';
import { search, type UpReady } from './commands/command.ts';
import { buildNodePackage, type DebianRoot, makeDebianRoot, numbersOf } from './debian-root.ts';
import { programPath, runInstalled } from './installed-program.ts';

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const builder = fileURLToPath(new URL('../deploy/debian/build.js', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const nextVersion = version.replace(/\d+$/, (patch) => `${Number(patch) + 1}~test`);
const units = ['garner-gatherer', 'garner-broker', 'garner-cache'];

/** Build the package; resolves to its path. */
async function build(folder: string, ...more: readonly string[]): Promise<string> {
  // Packages are made with xz, which takes far longer.
  const line = [process.execPath, builder, folder, '--compression', 'none', ...more];
  const { stdout } = await runInstalled(line, { cwd: root });
  return stdout.trim();
}

let folder = '';
/** The package as it is built once for all tests. */
let deb = '';
/** The Debian system of the last test: it waits for packages from the network while the others run. */
let made: Promise<DebianRoot | undefined> = Promise.resolve(undefined);
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-debian-'));
  made = makeDebianRoot(join(folder, 'root'));
  deb = await build(folder);
});
after(async () => {
  await made;
  await rm(folder, { recursive: true, force: true });
});

/** Whether the programs are here that a test needs; skips it otherwise. */
async function has(t: TestContext, ...names: readonly string[]): Promise<boolean> {
  for (const name of names)
    if ((await programPath(name)) === undefined) {
      t.skip(`${name} is not here`);
      return false;
    }
  return true;
}

/** The man pages below an unpacked package, by name, as mdoc. */
function manPagesBelow(folder: string): Map<string, string> {
  const man = join(folder, 'usr/share/man');
  const paths = readdirSync(man, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.gz'),
  );
  return new Map(
    paths.map((path) => [path.replace(/\.gz$/, ''), gunzipSync(readFileSync(join(man, path))).toString()]),
  );
}

test('the package is the same when it is built twice, and belongs to root', {
  timeout: 300_000,
}, async () => {
  const second = await build(join(folder, 'second'));
  assert.match(deb, new RegExp(`/garner_${version}_[a-z0-9]+\\.deb$`));
  assert.ok(readFileSync(deb).equals(readFileSync(second)));
  const { stdout } = await runInstalled(['dpkg-deb', '--contents', deb]);
  const lines = stdout.trim().split('\n');
  assert.deepEqual(
    lines.filter((line) => !line.includes(' root/root ')),
    [],
  );
  const garners = lines.filter((line) => !line.includes('/node_modules/'));
  assert.deepEqual(
    garners.filter((line) =>
      /\.test\.|fixture|\/testing\/|\/bench\/|\.map$|lib\/garner\/dist\/(test|deploy)\//.test(line),
    ),
    [],
  );
});

test('man pages name every verb and setting, and units pass', { timeout: 300_000 }, async (t) => {
  if (!(await has(t, 'mandoc', 'man', 'systemd-analyze'))) return;
  const unpacked = join(folder, 'unpacked');
  await runInstalled(['dpkg-deb', '--extract', deb, unpacked]);
  const pages = manPagesBelow(unpacked);
  for (const [path, text] of pages) {
    const file = join(unpacked, 'usr/share/man', path);
    await writeFile(file, text);
    if (text.startsWith('.so ')) {
      assert.ok(pages.has(text.slice(4).trim()), path);
      continue;
    }
    // The linter looks for related pages among those of this machine.
    const faults = await runInstalled(['mandoc', '-Tlint', file]).then(
      () => '',
      (error: Error) => error.message,
    );
    assert.doesNotMatch(faults, /^mandoc: \S+ (?!STYLE: referenced manual not found)/m, path);
    for (const [, name, section] of text.matchAll(/^\.Xr (\S+) (\d)/gm))
      assert.ok(pages.has(`man${section}/${name}.${section}`), `${path} names ${name}(${section})`);
  }
  const shown = async (path: string) => {
    const file = join(unpacked, 'usr/share/man', path);
    const env = { ...process.env, MANWIDTH: '200', LC_ALL: 'C.UTF-8', TERM: 'dumb' } as Record<
      string,
      string
    >;
    const { stdout } = await runInstalled(['man', '--warnings', '--local-file', '--pager=cat', file], {
      env,
    });
    return stdout.replaceAll('\u2010\n', '').replaceAll('\u2010', '-').replaceAll(/\s+/g, ' ');
  };
  const main = await shown('man1/garner.1');
  for (const verb of verbs) {
    const words = wordsOf(verb);
    assert.ok(main.includes(`garner ${words.join(' ')}`), words.join(' '));
    const own = words.length === 1 ? main : await shown(`man1/garner-${words[0]}.1`);
    for (const name of Object.keys(verb.options ?? {}))
      assert.ok(own.includes(`--${name}`), `${words}: --${name}`);
  }
  const settings = await shown('man5/garner.yaml.5');
  for (const { key } of allSettings) assert.ok(settings.includes(key), key);
  for (const unit of units) {
    const file = join(unpacked, `usr/lib/systemd/system/${unit}.service`);
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^User=garner\nGroup=garner\nStateDirectory=garner$/m);
    assert.doesNotMatch(text, /DynamicUser|\/usr\/bin\/env|%S/);
    assert.match(text, /^RestartPreventExitStatus=2$/m);
    // The program lies in the unpacked package, not on this machine.
    await writeFile(file, text.replace('/usr/bin/garner ', `${unpacked}/usr/bin/garner `));
    const found = await runInstalled(['systemd-analyze', 'verify', file]);
    assert.equal(found.stdout + found.stderr, '', unit);
    const offline = ['--offline=true', '--threshold=25', '--no-pager', file];
    assert.match(
      (await runInstalled(['systemd-analyze', 'security', ...offline])).stdout,
      /exposure level .* OK/,
    );
  }
});

/** Who owns a path within, and its mode in octal. */
async function owned(system: DebianRoot, path: string): Promise<string> {
  const [users, groups] = [await numbersOf(system, 'passwd'), await numbersOf(system, 'group')];
  const { uid, gid, mode } = lstatSync(system.at(path));
  const nameOf = (names: Map<string, number>, id: number) =>
    [...names].find(([, number]) => number === id)?.[0];
  return `${nameOf(users, uid)}:${nameOf(groups, gid)} ${(mode & 0o7777).toString(8)}`;
}

const data = '/var/lib/garner';

async function searchesWithin(system: DebianRoot): Promise<void> {
  const line = ['garner', 'up', '/srv/site', '--data', data, '--port', '0', '--site-port', '0', '--json'];
  await using server = await system.start<UpReady>(line, 'garner');
  const { hits } = await search(server.ready.search, 'onions');
  assert.deepEqual(
    hits.map(({ title }) => title),
    ['Onion soup'],
  );
}

test('a Debian system installs, upgrades, removes and purges it', { timeout: 600_000 }, async (t) => {
  const system = await made;
  if (system === undefined) {
    t.skip('debootstrap is not here');
    return;
  }
  const [node, next] = await Promise.all([buildNodePackage(folder), build(folder, '--version', nextVersion)]);
  await t.test('install', async () => {
    await system.install(node, deb);
    for (const name of ['garner', 'gatherer', 'broker'])
      assert.equal((await system.run([name, '--version'])).trim(), version);
    assert.equal(await owned(system, data), 'garner:garner 700');
    assert.equal(await owned(system, 'etc/garner'), 'root:root 755');
    assert.equal(await owned(system, 'etc/garner/garner.yaml'), 'root:garner 640');
    const account = /^garner:.*$/m.exec(readFileSync(system.at('etc/passwd'), 'utf8'))?.[0] ?? '';
    assert.match(account, /:\/var\/lib\/garner:\/usr\/sbin\/nologin$/);
    assert.equal((await system.run(['dpkg', '--verify', 'garner'])).trim(), '');
    // Every setting that the configuration suggests is one.
    const suggested = readFileSync(system.at('etc/garner/garner.yaml'), 'utf8').replaceAll(/^#(?=\S)/gm, '');
    await writeFile(system.at('tmp/suggested.yaml'), suggested);
    await system.run(['garner', 'config', '--config', '/tmp/suggested.yaml']);
    await system.run(['garner', 'config', '--config', '/etc/garner/garner.yaml'], 'garner');
  });
  await t.test('search', async () => {
    await mkdir(system.at('srv/site'));
    await writeFile(system.at('srv/site/soup.md'), '# Onion soup\n\nPeel the onions and weep.\n');
    await searchesWithin(system);
  });
  const config = system.at('etc/garner/garner.yaml');
  const setting = '\ngatherer.name: kitchen\n';
  await t.test('upgrade', async () => {
    await appendFile(config, setting);
    const site = readFileSync(system.at(`${data}/gatherer/site.json`));
    await system.install(next);
    assert.equal((await system.run(['garner', '--version'])).trim(), nextVersion);
    assert.ok(readFileSync(config, 'utf8').endsWith(setting));
    assert.equal(await owned(system, 'etc/garner/garner.yaml'), 'root:garner 640');
    assert.deepEqual(readFileSync(system.at(`${data}/gatherer/site.json`)), site);
    const status = ['garner', 'gatherer', 'status', '--data', data, '--json'];
    assert.equal((JSON.parse(await system.run(status, 'garner')) as { objects: number }).objects, 1);
    await searchesWithin(system);
  });
  await t.test('remove', async () => {
    await system.run(['dpkg', '--remove', 'garner']);
    for (const path of ['usr/bin/garner', 'usr/lib/garner', 'usr/share/man/man1/garner.1.gz'])
      assert.ok(!existsSync(system.at(path)), path);
    assert.ok(readFileSync(config, 'utf8').endsWith(setting));
    assert.ok(statSync(system.at(`${data}/broker`)).isDirectory());
    // What was kept is used again.
    await system.install(next);
    assert.ok(readFileSync(config, 'utf8').endsWith(setting));
    await searchesWithin(system);
  });
  await t.test('purge', async () => {
    await system.run(['dpkg', '--purge', 'garner']);
    for (const path of [data, 'etc/garner', 'usr/lib/garner', 'usr/share/doc/garner'])
      assert.ok(!existsSync(system.at(path)), path);
    assert.ok(!(await numbersOf(system, 'passwd')).has('garner'));
    assert.ok(!(await numbersOf(system, 'group')).has('garner'));
    assert.doesNotMatch(await system.run(['dpkg', '--get-selections']), /^garner\b/m);
  });
});
