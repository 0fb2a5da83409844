import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand, startServer, temporaryFolder, type UpReady } from './commands/command.ts';

const built = dirname(dirname(fileURLToPath(import.meta.url)));

// Appends the URL of each file that a process or one of its threads loads.
const hooks = `import { appendFileSync } from 'node:fs';
export async function load(url, context, next) {
  if (url.startsWith('file:')) appendFileSync(process.env.LOADED_FILES, url + '\\n');
  return next(url, context);
}`;
const hook = `import { register } from 'node:module';
register('data:text/javascript,' + ${JSON.stringify(encodeURIComponent(hooks))});`;

/** Rooms that a folder with one page needs in no program. What a name means (code) and what a page says of itself (json) it needs. */
const barred = [
  ...['archives', 'bibliography', 'compression', 'dvi', 'executables', 'fonts', 'images'],
  ...['markup', 'media', 'office', 'pdf', 'postscript', 'records', 'tables', 'tex', 'troff'],
]
  .map((room) => `readers/${room}`)
  .concat(
    ...['cache', 'line-protocol', 'store/check', 'broker/classic', 'broker/search-together'],
    ...['broker/engines/glimpse', 'gatherer/serve/gatherd', 'gatherer/annotate/annotation-files.js'],
    ...['feeds', 'ftp', 'git', 'gopher', 'mail', 'programs'].map((room) => `gatherer/enumerate/${room}`),
    ...[
      'gatherer/enumerate/web/web-crawl.js',
      'web/admin-page.js',
      'web/cache-status-page.js',
      'web/page.js',
    ],
    ...['cli/cache', 'cli/verbs/verbs.js', 'cli/doctor/doctor.js'],
  );

/** The files of this build that were loaded, by path, those of light doors left out. */
function loadedFiles(list: string): readonly string[] {
  const urls = new Set(readFileSync(list, 'utf8').trim().split('\n'));
  return [...urls]
    .map((url) => relative(built, fileURLToPath(url)).split(sep).join('/'))
    .filter((path) => !path.startsWith('..') && !/(^|\/)(events|settings|errors)\.js$/.test(path));
}

const within = (files: readonly string[], rooms: readonly string[]) =>
  files.filter((path) => rooms.some((room) => path === room || path.startsWith(`${room}/`)));

test('a program loads the rooms that a folder of one page needs, and no others', async (t) => {
  await using home = await temporaryFolder();
  const { path: cwd } = home;
  mkdirSync(join(cwd, 'site'));
  writeFileSync(join(cwd, 'site/otter.html'), '<title>Otters</title><p>The otter eats fish in the river.');
  writeFileSync(join(cwd, 'hook.mjs'), hook);
  const listed = (name: string) => ({
    cwd,
    env: { NODE_OPTIONS: `--import=${join(cwd, 'hook.mjs')}`, LOADED_FILES: join(cwd, name) },
  });

  const run = await runCommand(['gatherer', 'run', '--root', 'site', '--data', 'run'], listed('of-run'));
  assert.equal(run.code, 0, run.stderr);
  const up = ['up', 'site', '--data', 'up', '--port', '0', '--site-port', '0'];
  await using server = await startServer<UpReady>(up, listed('of-up'));
  const answer = await fetch(new URL('search?q=otter', server.ready.search));
  assert.match(await answer.text(), /"total":1\b/);

  const [ofRun, ofUp] = [loadedFiles(join(cwd, 'of-run')), loadedFiles(join(cwd, 'of-up'))];
  t.diagnostic(`gatherer run loads ${ofRun.length} files, up loads ${ofUp.length}`);
  assert.ok(ofRun.length > 400 && ofUp.length > 500);
  assert.deepEqual(within(ofRun, [...barred, 'broker', 'web', 'cli/broker']), []);
  assert.deepEqual(within(ofUp, barred), []);
});
