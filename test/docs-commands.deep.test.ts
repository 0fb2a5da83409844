import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Finished } from './commands/command.ts';
import { garner, runToEnd } from './docs-program.ts';
import { openTemplate, placeIn, Scene, type Template } from './docs-scene.ts';
import { fencedBlocks, garnerArguments, type Page, pages, typedLines } from './manual-pages.ts';
import { agrees, normalised } from './transcripts.ts';

// The commands of the manual and the README, copied out of the pages and run in their order.

/** Lines that cannot run here, each with its reason. test/docs.test.ts still parses what they give to garner. */
const notRun: readonly { readonly line: RegExp; readonly reason: string }[] = [
  { line: /^npm (?:install|test|link|pack|run)\b/, reason: 'changes this checkout, or runs these tests' },
  { line: /\b(?:apt|apt-get|dpkg|systemctl|systemd-run|journalctl)\b/, reason: 'changes the system' },
  { line: /\brunuser\b/, reason: 'needs the user of the Debian package' },
  {
    line: /^(?:sudo )?(?:cp|install|tar|mkdir|chown) .*\/(?:etc|var)\//,
    reason: 'writes outside the scratch folder',
  },
  { line: /ftp:\/\/ftp\.example\.org/, reason: 'needs an FTP server' },
  { line: /^certbot\b|\bnginx -|^nginx\b/, reason: 'needs a host with a name of its own' },
];

interface OtherExit {
  readonly line: RegExp;
  readonly codes: readonly number[];
  readonly reason: string;
}

/** Lines that may end with another exit code than 0, each with its reason. */
const otherExits: readonly OtherExit[] = [
  { line: /^garner doctor\b/, codes: [0, 1], reason: 'a source or peer of the page may be away' },
  { line: /\/keys\/4pvY85/, codes: [0, 22], reason: 'no server here has the id of the page' },
  {
    line: /^garner gatherer run --list$/,
    codes: [0, 2],
    reason: 'a Gatherer may serve the data of the page',
  },
  { line: /annotate .* --delete$/, codes: [0, 1], reason: 'the line before removed the last annotation' },
];

const isServer = (argv: readonly string[]) => argv[0] === 'up' || argv[1] === 'serve';

/** One simple command: nothing that only a shell can do. */
const isSimple = (line: string) =>
  /^(?:npx )?garner |^npm start/.test(line) && !/[|<>;$]/.test(line.replaceAll(/'[^']*'/g, ''));

let template: Template;
let bin = '';
before(async () => {
  template = await openTemplate();
  bin = await mkdtemp(join(tmpdir(), 'garner-bin-'));
  await writeFile(join(bin, 'garner'), `#!/bin/sh\nexec '${process.execPath}' '${garner}' "$@"\n`);
  // An answer that is an error fails its line.
  await writeFile(join(bin, 'curl'), '#!/bin/sh\nPATH=/usr/bin:/bin exec curl --fail-with-body "$@"\n');
  // Debian's minimal systems have no netcat.
  const netcat = `require('net').connect(process.argv[3], process.argv[2], function () { process.stdin.pipe(this); })`;
  await writeFile(join(bin, 'nc'), `#!${process.execPath}\n${netcat}.pipe(process.stdout);\n`);
  for (const name of ['garner', 'curl', 'nc']) await chmod(join(bin, name), 0o755);
});
after(async () => {
  await template[Symbol.asyncDispose]();
  await rm(bin, { recursive: true });
});

/** Run a line in a shell. */
const shell = (scene: Scene, line: string): Promise<Finished> =>
  runToEnd('bash', ['-c', `set -o pipefail\n${line}`], {
    cwd: scene.folder,
    env: { ...scene.env, PATH: `${bin}:${process.env.PATH}` },
  });

/** Run one line, as it really is here. A server is started, and its output is what it prints when it is ready. */
async function run(scene: Scene, line: string): Promise<Finished> {
  const [, name = '', value = ''] = line.match(/^export (\w+)=(\S+)$/) ?? [];
  if (name !== '') {
    scene.env[name] = value;
    return { code: 0, stdout: '', stderr: '' };
  }
  const [, command = '', file = ''] = line.match(/^(garner [^|<>;$]*) > (\S+)$/) ?? [];
  if (file !== '') {
    const finished = await scene.run(garnerArguments(command) ?? []);
    await writeFile(join(scene.folder, file), finished.stdout);
    return finished;
  }
  const [, variables = '', rest = ''] = line.match(/^((?:[A-Z_]+=\S+ )*)(.*)$/s) ?? [];
  const argv = isSimple(rest) ? garnerArguments(rest) : undefined;
  if (argv !== undefined && isServer(argv)) {
    const own = Object.fromEntries(
      variables
        .trim()
        .split(' ')
        .filter(Boolean)
        .map((pair) => pair.split('=')),
    );
    const running = await scene.serve(argv, own);
    return { code: 0, stdout: running.stdout(), stderr: '' };
  }
  // --token-env reads the environment of the process.
  return argv === undefined || variables !== '' || line.includes('--token-env')
    ? shell(scene, line)
    : scene.run(argv);
}

/** Run what one page shows; returns how many lines ran. */
async function runPage(page: Page): Promise<number> {
  await using scene = await Scene.open(template, page.text.includes('TOKEN'));
  const guide = /^docs\/(?:tutorials|how-to)\//.test(page.path);
  const appliesSettings = guide || page.path === 'docs/cache-recipes.md';
  let ran = 0;
  for (const block of fencedBlocks(page)) {
    if (appliesSettings && block.language === 'yaml')
      await writeFile(join(scene.folder, 'garner.yaml'), await scene.real(block.body));
    for (const { line, shown } of typedLines(block)) {
      if (/^\s*(?:#|$)/.test(line) || notRun.some((entry) => entry.line.test(line))) continue;
      ran++;
      const where = `${page.path}: ${line}`;
      const [, port, folder] = line.match(/^python3 -m http\.server (\d+) .*--directory (\S+)/) ?? [];
      if (port !== undefined && folder !== undefined) {
        await scene.serveFolder(folder, port);
        continue;
      }
      const real = await scene.real(line.replace(/ &$/, ''));
      let outcome = await run(scene, real);
      const codes = otherExits.find((entry) => entry.line.test(line))?.codes ?? [0];
      assert.ok(
        codes.includes(outcome.code ?? -1),
        `${where}\nran as ${real}\nended with ${outcome.code}\n${outcome.stdout}${outcome.stderr}`,
      );
      const isFederated = page.path === 'docs/registry.md';
      if (shown === undefined || !(guide || isFederated || page.path === 'README.md')) continue;
      const isShown = () => agrees(normalised(shown), normalised(scene.documented(outcome.stdout)));
      // Servers of the page may not have registered and collected yet.
      for (let left = 50; isFederated && !isShown() && left > 0; left--) outcome = await run(scene, real);
      assert.ok(
        isShown(),
        `${where}\nthe page shows\n${shown}\nand it printed\n${scene.documented(outcome.stdout)}`,
      );
    }
  }
  return ran;
}

test('a transcript may differ by numbers and not by words', () => {
  const printed = normalised(
    '  gatherer  27 summaries of 564 kB read (0.3 s)\n  search    http://127.0.0.1:8501/\n',
  );
  const shown = (text: string) => agrees(normalised(text), printed);
  assert.ok(shown('gatherer  2 summaries of 67 B read (12 ms)\nsearch http://127.0.0.1:80/'));
  assert.ok(shown('...\nsearch http://127.0.0.1:80/'));
  assert.ok(!shown('gatherer  2 summaries of 67 B written (0.1 s)\nsearch http://127.0.0.1:80/'));
  assert.ok(!shown('search http://127.0.0.1:80/'));
});

test('ids and places are recognised whole, whatever letters of base64url they have', () => {
  const ids = ['a', '-', '_'].map((letter) => letter + '0-_x'.repeat(10) + letter + letter);
  assert.deepEqual(
    ids.flatMap((id) => normalised(`  oid  ${id}`)),
    ids.map(() => 'oid ID'),
  );
  for (const place of ['kqjfdRSrUoSF481I.3', '-qjf-RSr_oSF48-_.12', '_qjf--Sr_oSF481-.0'])
    assert.deepEqual([placeIn(`"${place}"`), placeIn(`W/"${place}"`)], [place, place]);
});

// Its commands are those of several machines: test/registry/tutorial.deep.test.ts runs them.
const ofMachines = 'docs/tutorials/three-departments.md';

const runnable = pages().filter(
  ({ path }) =>
    path === 'README.md' ||
    (path.startsWith('docs/') &&
      !/^docs\/(?:cli|config|errors|summarisers)\.md$/.test(path) &&
      path !== ofMachines),
);

for (const page of runnable.filter((page) =>
  fencedBlocks(page).some((block) => typedLines(block).length > 0),
))
  test(`the commands of ${page.path} run`, { timeout: 120_000 }, async () => {
    await runPage(page);
  });
