#!/usr/bin/env node
// Builds the Debian package out of a compiled checkout:
// node dist/deploy/debian/build.js [FOLDER] [--version VERSION] [--compression xz|gzip]
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { manPages } from '../man/index.ts';
import { copyProductionTree, licences } from './production-tree.ts';
import { link, measured, put, putCompressed, settle } from './staging.ts';
import { control, copyright, debianChangelog } from './texts.ts';
import { packagedUnit, unitCommands } from './units.ts';

const run = promisify(execFile);

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly bin: Readonly<Record<string, string>>;
}

/** The checkout that this build is of. */
function checkoutFolder(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) throw new Error('this build lies in no checkout');
  }
}

/** Seconds since 1970 that every file of the package gets: SOURCE_DATE_EPOCH, or the time of the last commit. */
async function sourceEpoch(root: string): Promise<number> {
  const { SOURCE_DATE_EPOCH: given } = process.env;
  if (given !== undefined) return Number(given);
  try {
    return Number((await run('git', ['-C', root, 'log', '-1', '--format=%ct'])).stdout);
  } catch {
    return Math.floor((await stat(join(root, 'package.json'))).mtimeMs / 1000);
  }
}

/** The files of the npm package; the Debian package has the same. */
async function programFiles(root: string): Promise<string[]> {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return packed.files
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('dist/') || existsSync(join(root, sourceOf(path))))
    .sort();
}

/** The source of a compiled file; a compiled file without one is left from an earlier build. */
function sourceOf(path: string): string {
  return path.replace(/^dist\//, '').replace(/\.js$/, '.ts');
}

const home = 'usr/lib/garner';

async function stageProgram(root: string, staging: string, manifest: Manifest): Promise<string[]> {
  for (const path of await programFiles(root)) {
    await mkdir(dirname(join(staging, home, path)), { recursive: true });
    await copyFile(join(root, path), join(staging, home, path));
  }
  await put(staging, `${home}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [name, path] of Object.entries(manifest.bin)) {
    const program = join(staging, home, path);
    const text = await readFile(program, 'utf8');
    // Debian's programs name their interpreter.
    await writeFile(program, text.replace(/^#!.*/, '#!/usr/bin/node'));
    await link(staging, `usr/bin/${name}`, `../lib/garner/${path}`);
  }
  return copyProductionTree(root, join(staging, home));
}

async function stageSystem(root: string, staging: string): Promise<void> {
  for (const name of Object.keys(unitCommands)) {
    const text = await readFile(join(root, `deploy/systemd/${name}.service`), 'utf8');
    await put(staging, `usr/lib/systemd/system/${name}.service`, packagedUnit(name, text));
  }
  await put(staging, 'etc/garner/garner.yaml', await template(root, 'garner.yaml'));
}

async function stageDocuments(
  root: string,
  staging: string,
  { date, version, places }: { date: Date; version: string; places: readonly string[] },
): Promise<void> {
  for (const [path, text] of await manPages(date))
    await putCompressed(staging, `usr/share/man/${path}`, text);
  const doc = 'usr/share/doc/garner';
  await put(staging, `${doc}/copyright`, copyright(licences(root, places), date));
  await put(staging, `${doc}/README.Debian`, await template(root, 'README.Debian'));
  await putCompressed(staging, `${doc}/changelog`, debianChangelog(version, date));
  await putCompressed(staging, `${doc}/CHANGELOG.md`, await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  await link(staging, `${doc}/manual`, '../../../lib/garner/docs');
  await link(staging, `${doc}/examples`, '../../../lib/garner/deploy');
}

function template(root: string, name: string): Promise<string> {
  return readFile(join(root, 'deploy/debian/templates', name), 'utf8');
}

async function stageControl(root: string, staging: string, manifest: Manifest): Promise<void> {
  const { md5sums, kibibytes } = await measured(staging);
  const { stdout } = await run('dpkg', ['--print-architecture']);
  const { version, description } = manifest;
  // Not for all architectures: level and msgpackr come with compiled add-ons.
  const architecture = stdout.trim();
  await put(staging, 'DEBIAN/control', control({ version, architecture, kibibytes, describe: description }));
  await put(staging, 'DEBIAN/md5sums', md5sums);
  await put(staging, 'DEBIAN/conffiles', '/etc/garner/garner.yaml\n');
  for (const script of ['postinst', 'prerm', 'postrm'])
    await put(staging, `DEBIAN/${script}`, await template(root, script));
}

/** Build the package into a folder; resolves to its path. */
async function build(
  folder: string,
  { version: given, compression }: { readonly version?: string; readonly compression: string },
): Promise<string> {
  const root = checkoutFolder();
  const source = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const manifest = { ...source, version: given ?? source.version };
  const epoch = await sourceEpoch(root);
  const staging = await mkdtemp(join(tmpdir(), 'garner-package-'));
  try {
    const places = await stageProgram(root, staging, manifest);
    await stageSystem(root, staging);
    await stageDocuments(root, staging, { date: new Date(epoch * 1000), version: manifest.version, places });
    await stageControl(root, staging, manifest);
    const programs = Object.values(manifest.bin).map((path) => `${home}/${path}`);
    const scripts = ['postinst', 'prerm', 'postrm'].map((name) => `DEBIAN/${name}`);
    const modes = new Map([...programs, ...scripts].map((path) => [path, 0o755]));
    // The configuration may hold tokens; the installation gives it to the group garner.
    modes.set('etc/garner/garner.yaml', 0o640);
    await settle(staging, { epoch, modes });
    await mkdir(folder, { recursive: true });
    await run('dpkg-deb', ['--build', '--root-owner-group', `-Z${compression}`, staging, folder], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
    });
    const { stdout } = await run('dpkg', ['--print-architecture']);
    return join(folder, `garner_${manifest.version}_${stdout.trim()}.deb`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { version: { type: 'string' }, compression: { type: 'string', default: 'xz' } },
});
console.log(await build(resolve(positionals[0] ?? 'build'), values));
