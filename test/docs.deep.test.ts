import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { allSettings, type Verb, variableOf, verbs, wordsOf } from '../cli/index.ts';
import { errorTables, generatedPages, runLine } from './generated-docs.ts';
import { layers } from './layers.ts';
import {
  blocks,
  commandLines,
  docs,
  fence,
  type Page,
  pages,
  root,
  shellWords,
  skipped,
} from './manual-pages.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-docs-'));
  for (const [name, text] of Object.entries(await generatedPages(folder)))
    if (process.env.GARNER_WRITE_DOCS === '1') writeFileSync(join(docs, name), text);
});
after(() => rm(folder, { recursive: true, force: true }));

test('the generated pages are fresh', async () => {
  for (const [name, text] of Object.entries(await generatedPages(folder)))
    assert.ok(
      existsSync(join(docs, name)) && readFileSync(join(docs, name), 'utf8') === text,
      `docs/${name} is stale: run the tests once with GARNER_WRITE_DOCS=1`,
    );
});

test('every error code stands in one table only, and its sentences hold no slip', () => {
  const codes = Object.values(errorTables).flatMap((table) => Object.keys(table));
  assert.equal(new Set(codes).size, codes.length);
  const text = readFileSync(join(docs, 'errors.md'), 'utf8');
  assert.doesNotMatch(text, /\[object|undefined|NaN/);
  assert.doesNotMatch(text, /What to do: \{/);
  for (const code of codes) assert.match(text, new RegExp(`^### ${code}$`, 'm'));
});

/** How a heading is named in a link: lower case, punctuation gone, blanks to dashes. */
function anchorOf(heading: string): string {
  return heading
    .replace(/[`*]|\]\([^)]*\)|\[/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Relative links of a page that lead nowhere, as sentences. */
function brokenLinks({ path, prose }: Page): string[] {
  const faults: string[] = [];
  for (const [, target = ''] of prose.replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)) {
    if (/^[a-z]+:/i.test(target)) continue;
    const [file = '', anchor] = target.split('#');
    const full = file === '' ? join(root, path) : resolve(root, dirname(path), decodeURIComponent(file));
    if (!existsSync(full)) faults.push(`${path}: ${target} leads nowhere`);
    else if (path.startsWith('docs/') && relative(docs, full).startsWith('..'))
      faults.push(`${path}: ${target} leaves the manual, which is also a site by itself`);
    else if (anchor !== undefined) {
      const headings = [
        ...readFileSync(full, 'utf8')
          .replace(fence, '')
          .matchAll(/^#+ (.*)$/gm),
      ];
      if (!headings.some(([, heading = '']) => anchorOf(heading) === anchor))
        faults.push(`${path}: ${target} names no heading`);
    }
  }
  return faults;
}

test('every relative link resolves', () => {
  assert.deepEqual(pages().flatMap(brokenLinks), []);
  const planted = { path: 'docs/index.md', text: '', prose: '[a](nowhere.md) [b](../package.json) [c](#no)' };
  assert.equal(brokenLinks(planted).length, 3);
});

test('every page of the manual has one title of its own and is reached from the first page', () => {
  const manual = pages().filter(({ path }) => path.startsWith('docs/'));
  const titles = manual.map(({ path, prose }) => {
    const found = [...prose.matchAll(/^# (.+)$/gm)].map(([, title]) => title);
    assert.equal(found.length, 1, `${path} has ${found.length} titles`);
    return found[0];
  });
  assert.equal(new Set(titles).size, titles.length);
  const index = manual.find(({ path }) => path === 'docs/index.md')?.text ?? '';
  for (const { path } of manual)
    if (path !== 'docs/index.md')
      assert.ok(index.includes(`](${path.slice(5)})`), `docs/index.md lacks ${path}`);
});

test('a how-to page is one screen', () => {
  for (const { path, text } of pages())
    if (path.startsWith('docs/how-to/')) assert.ok(text.split('\n').length <= 65, `${path} is too long`);
});

// The verbs as they are, but for what they do: reading the settings is all.
const parsingOnly: readonly Verb[] = verbs.map((verb) => ({
  ...verb,
  handler: async (run) => {
    await run.config();
  },
}));

test('every command shown parses, its settings with it', async () => {
  let shown = 0;
  for (const page of pages())
    for (const argv of commandLines(page)) {
      shown++;
      const { code, text } = await runLine(argv, { cwd: folder, own: parsingOnly });
      assert.equal(code, 0, `${page.path}: garner ${argv.join(' ')}\n${text}`);
    }
  assert.ok(shown > 20, `only ${shown} commands were found`);
  for (const [example] of verbs.flatMap(({ examples = [] }) => examples)) {
    const { code, text } = await runLine(shellWords(example), { cwd: folder, own: parsingOnly });
    assert.equal(code, 0, `garner ${example}\n${text}`);
  }
  const { code } = await runLine(['gatherer', 'serve', '--no-such'], { cwd: folder, own: parsingOnly });
  assert.equal(code, 2);
});

/** The variables that tests read: what follows `process.env` in their source, or is taken out of it by name. */
function testVariables(): string[] {
  const read = /process\.env\.(GARNER_\w+)|\{ ((?:GARNER_\w+(?:, )?)+) \} = process\.env/g;
  const folders = ['test', ...layers.flat()].filter((name) => existsSync(join(root, name)));
  return folders.flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => [...readFileSync(join(root, directory, path), 'utf8').matchAll(read)])
      .flatMap(([, one, several = '']) => (one === undefined ? several.split(', ') : [one])),
  );
}

test('every verb, setting, variable and error code named in the text exists', () => {
  const commands = new Set([...verbs.map((verb) => wordsOf(verb).join(' ')), 'completion', 'help']);
  // `garner broker token` names the verbs of a group.
  const named = new Set(
    [...commands].flatMap((command) =>
      command.split(' ').map((_, at, words) => words.slice(0, at + 1).join(' ')),
    ),
  );
  const keys = new Set(allSettings.map(({ key }) => key));
  const groups = [...new Set(allSettings.map(({ key }) => key.split('.')[0]))].join('|');
  const variables = new Set([...allSettings.map(({ key }) => variableOf(key)), 'GARNER_CONFIG']);
  const toPrograms = ['GARNER_URL', 'GARNER_NAME', 'GARNER_TYPE', 'GARNER_MEDIA_TYPE'];
  for (const own of ['GARNER_LOG_LEVEL', ...toPrograms, ...testVariables()]) variables.add(own);
  const codes = new Set(Object.values(errorTables).flatMap((table) => Object.keys(table)));
  const families = [...new Set([...codes].map((code) => code.split('_')[0]))].join('|');
  const faults: string[] = [];
  for (const { path, text, prose } of pages()) {
    const bad = (what: string) => faults.push(`${path}: ${what}`);
    for (const [, line = ''] of prose.matchAll(/`garner ([^`\n]+)`/g)) {
      const words = line.split(' ').filter((word) => /^[a-z]+$/.test(word));
      const isCommand = words.some((_, at) => commands.has(words.slice(0, at + 1).join(' ')));
      if (!line.startsWith('-') && !isCommand && !named.has(words.join(' '))) bad(`garner ${line}`);
    }
    for (const [key] of prose.matchAll(
      new RegExp(`(?<=[\`\\s(])(?:${groups})\\.[a-z][a-z-]*(?=[\`\\s,;:.)])`, 'g'),
    ))
      if (!keys.has(key) && !/\.(?:ts|md|yaml|json)$/.test(key)) bad(`setting ${key}`);
    for (const [name] of text.matchAll(/GARNER_[A-Z0-9_]+/g))
      if (!variables.has(name)) bad(`variable ${name}`);
    for (const [code] of prose.matchAll(new RegExp(`\\b(?:${families})_[A-Z][A-Z_]+\\b`, 'g')))
      if (!codes.has(code)) bad(`error ${code}`);
  }
  assert.deepEqual(faults, []);
});

test('every configuration shown is valid', async () => {
  const found = pages().flatMap((page) => blocks(page, 'yaml').map((yaml) => ({ path: page.path, yaml })));
  assert.ok(found.length > 0);
  for (const { path, yaml } of found) {
    await writeFile(join(folder, 'shown.yaml'), yaml);
    const { code, text } = await runLine(['config', '--config', 'shown.yaml'], { cwd: folder });
    assert.equal(code, 0, `${path}:\n${yaml}\n${text}`);
  }
});

test('the layer table of ARCHITECTURE.md is the one that is enforced', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
  const rows = [
    ...text.matchAll(/^\| (?:doors|pages|actors|post|link|base|ground|record|floor) +\|([^|]*)\|/gm),
  ];
  const drawn = rows.map(([, folders = '']) =>
    [...folders.matchAll(/`([\w-]+)\/`/g)].map(([, name]) => name),
  );
  const present = layers.map((row) => row.filter((name) => existsSync(join(root, name))));
  assert.deepEqual(
    drawn.map((row) => row.toSorted()),
    present.map((row) => row.toSorted()).reverse(),
  );
});

test('every folder of source has a README of at most 40 lines', () => {
  const folders = readdirSync(root).filter((name) => !skipped.test(name) && layers.flat().includes(name));
  for (const name of [...folders, 'test', 'deploy']) {
    const path = join(root, name, 'README.md');
    assert.ok(existsSync(path), `${name}/README.md is missing`);
    assert.ok(readFileSync(path, 'utf8').split('\n').length <= 41, `${name}/README.md is too long`);
  }
});

test('the shown path of the Debian package is the one that the build writes', () => {
  const builder = readFileSync(join(root, 'deploy/debian/build.ts'), 'utf8');
  const folder = /resolve\(positionals\[0\] \?\? '(\w+)'\)/.exec(builder)?.[1];
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const shown = pages().flatMap(({ text }) =>
    [...text.matchAll(/apt(?:-get)? install (\S+\.deb)/g)].map(([, path]) => path),
  );
  assert.ok(shown.length >= 4, `only ${shown.length} are shown`);
  assert.deepEqual([...new Set(shown)], [`./${folder}/garner_${version}_amd64.deb`]);
});

test('files that the text names are there', () => {
  const faults = pages().flatMap(({ path, prose }) =>
    [...prose.matchAll(/`([a-z]+\/[A-Za-z0-9/.-]+\.(?:ts|js|conf|service|md|css))`/g)]
      .filter(
        ([, file = '']) => !existsSync(join(root, file)) && !existsSync(join(root, dirname(path), file)),
      )
      .map(([, file]) => `${path}: ${file}`),
  );
  assert.deepEqual(faults, []);
});
