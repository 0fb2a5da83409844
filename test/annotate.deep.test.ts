import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type GatherdClient, gatherdPort } from '../gatherer/index.ts';
import { systemClock } from '../kernel/index.ts';
import { attributeText, parseSoif } from '../soif/index.ts';
import {
  freePort,
  runCommand,
  startServer,
  temporaryFolder,
  type UpReady,
  untilFound,
} from './commands/command.ts';
import { jsonHere as jsonOf, runHere } from './commands/command-here.ts';

const limit = { timeout: 180_000 };
const token = 'a-token-for-annotations';

async function page(site: string, name: string, text: string): Promise<void> {
  await mkdir(site, { recursive: true });
  await writeFile(join(site, name), `<!doctype html><title>${name}</title><p>${text}</p>`);
}

interface Annotated {
  readonly outcome: string;
  readonly annotation: { readonly fields: readonly (readonly [string, string])[] } | null;
}

test('annotations are found, outlive gathering, and can be removed', limit, async () => {
  await using folder = await temporaryFolder();
  const at = { cwd: folder.path };
  const site = join(folder.path, 'site');
  await page(site, 'okapi.html', 'Okapis live in forests.');
  await page(site, 'quokka.html', 'Quokkas live on an island.');
  await writeFile(join(folder.path, 'garner.yaml'), `http.admin-tokens: [${token}]\n`);
  const up = ['up', 'site', '--port', '0', '--data', 'data'];
  const annotate = (...args: string[]) =>
    jsonOf<Annotated>(['gatherer', 'annotate', ...args, '--data', 'data'], at);
  let base = '';
  {
    await using server = await startServer<UpReady>([...up, '--site-port', '0'], at);
    base = server.ready.site.split(' ')[0] as string;
    const [okapi, quokka] = [`${base}okapi.html`, `${base}quokka.html`];
    const hits = (query: string, total: number) =>
      untilFound(server.ready.search, query, (answer) => answer.total === total);

    // First by the API, then by the command through the server's control door.
    const api = server.ready.gatherer.replace(/^ws/, 'http');
    const put = (given: RequestInit) =>
      fetch(`${api}annotations/${encodeURIComponent(okapi)}`, {
        method: 'PUT',
        body: JSON.stringify({ fields: { Title: 'Shy giraffid', Keywords: 'zebroid' }, author: 'Jo' }),
        ...given,
      });
    assert.equal((await put({})).status, 401);
    const written = await put({ headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([written.status, ((await written.json()) as Annotated).outcome], [200, 'stored']);
    await hits('zebroid', 1);
    const result = await annotate(
      quokka,
      '--set',
      'Keywords=macropod',
      '--set',
      'Author=A',
      '--set',
      'Author=B',
    );
    assert.deepEqual(result, {
      outcome: 'stored',
      annotation: {
        ...result.annotation,
        fields: [
          ['Keywords', 'macropod'],
          ['Author-1', 'A'],
          ['Author-2', 'B'],
        ],
      },
    });
    await hits('macropod', 1);

    // A changed document is gathered again; its annotations stay.
    await page(site, 'quokka.html', 'Quokkas smile.');
    await hits('smile', 1);
    await hits('macropod', 1);
    assert.equal((await annotate(quokka, '--remove', 'author')).annotation?.fields.length, 1);
    const form = await fetch(`${api}annotate?url=${encodeURIComponent(okapi)}`);
    assert.match(await form.text(), /Shy giraffid/);

    const exported = await runCommand(['gatherer', 'annotate', '--export', '--data', 'data'], at);
    assert.match(exported.stdout, /Keywords\{8\}:\tmacropod\n/);
    await writeFile(join(folder.path, 'all.soif'), exported.stdout);
    assert.equal((await annotate(okapi, '--delete')).outcome, 'stored');
    await hits('zebroid', 0);
    assert.equal((await server.stop('SIGINT')).code, 0);
  }

  // No server holds the data folder: the command opens it.
  const bib =
    '@misc{k, title = {A paper on tapirs}, howpublished = {\\url{http://x.org/tapir}}}\n@misc{l, title={T}}';
  const taken = await runCommand(['gatherer', 'annotate', '--import', '-', '--data', 'data', '--json'], {
    ...at,
    input: bib,
  });
  assert.equal(taken.code, 3, taken.stderr);
  assert.deepEqual(JSON.parse(taken.stdout), {
    outcomes: { stored: 0, unchanged: 0, waiting: 1, 'next-run': 0 },
    refused: [],
    problems: [{ record: 'l', reason: 'it names no URL of a document' }],
  });
  const back = await jsonOf<{ outcomes: object }>(
    ['gatherer', 'annotate', '--import', 'all.soif', '--data', 'data'],
    at,
  );
  assert.deepEqual(back.outcomes, { stored: 1, unchanged: 1, waiting: 0, 'next-run': 0 });
  const listed = await runCommand(['gatherer', 'annotate', '--export', '--json', '--data', 'data'], at);
  assert.deepEqual(
    listed.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { url: string }).url),
    [`${base}okapi.html`, `${base}quokka.html`, 'http://x.org/tapir'],
  );
  {
    await using server = await startServer<UpReady>(up, at);
    assert.equal(server.ready.bytesRead, 0, 'annotating caused documents to be read again');
    for (const word of ['zebroid', 'macropod', 'smile'])
      await untilFound(server.ready.search, word, ({ total }) => total === 1);
    assert.equal((await annotate(`${base}quokka.html`, '--delete')).outcome, 'stored');
    await untilFound(server.ready.search, 'macropod', ({ total }) => total === 0);
    await untilFound(server.ready.search, 'quokka', ({ total }) => total === 1);
  }
});

test(
  'wrong combinations on the command line and invalid annotations are refused with a hint',
  limit,
  async () => {
    await using folder = await temporaryFolder();
    const site = join(folder.path, 'site');
    await page(site, 'a.html', 'A');
    const at = { cwd: folder.path };
    await jsonOf(['gatherer', 'run', '--root', 'site', '--base-url', 'http://x.org/', '--data', 'data'], at);
    const run = (...args: string[]) => runHere(['gatherer', 'annotate', ...args, '--data', 'data'], at);
    for (const args of [
      [],
      ['http://x.org/a.html', '--set', 'Title'],
      ['http://x.org/a.html', '--delete', '--set', 'Title=x'],
      ['http://x.org/a.html', '--export'],
      ['http://x.org/a.html', '--as', 'lsm'],
      ['http://x.org/a.html', '--set', 'MD5=x'],
      ['a.html', '--set', 'Title=x'],
      ['--import', 'site/a.html'],
    ]) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 2, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, /^ {2}try {3}\S/m);
    }
    assert.equal((await run('http://x.org/a.html')).code, 1);
    assert.match(
      (await run('http://x.org/a.html', '--set', 'Title=')).stdout,
      /the summary shows it now\n.*\n.*hidden/,
    );
    assert.match((await run('http://x.org/a.html')).stdout, /Title: \(hidden\)/);
    const shown = await runCommand(['gatherer', 'show', 'http://x.org/a.html', '--data', 'data'], at);
    assert.doesNotMatch(shown.stdout, /^Title/m);
    assert.match((await run('http://x.org/a.html', '--remove', 'Title')).stdout, /shows it now/);
  },
);

test(
  'a collector of 1996 gets the whole site, then what changed, from a serving Gatherer',
  limit,
  async () => {
    await using folder = await temporaryFolder();
    const site = join(folder.path, 'site');
    await page(site, 'a.html', 'A');
    await page(site, 'b.html', 'B');
    const port = await freePort();
    const served = ['gatherer', 'serve', '--root', 'site', '--base-url', 'http://x.org/', '--data', 'data'];
    await using server = await startServer<{ readonly gatherd: string }>(
      [...served, '--port', '0', '--gatherd-port', String(port)],
      { cwd: folder.path },
    );
    assert.equal(server.ready.gatherd, `127.0.0.1:${port}`);
    const { GatherdClient } = await gatherdPort();
    await using client = await GatherdClient.connect({ host: '127.0.0.1', port, clock: systemClock });
    assert.equal((await client.info()).templateType, 'GATHERER');
    const collected = async (since: number) => {
      const found: string[] = [];
      for await (const { section, object } of parseSoif(client.updates(since)))
        found.push(`${section} ${object.url} ${attributeText(object, 'Title') ?? ''}`);
      return found.sort();
    };
    const everything = ['update http://x.org/a.html a.html', 'update http://x.org/b.html b.html'];
    // The ready line is printed before the first run has ended.
    let whole = await collected(0);
    for (let tries = 0; whole.length < 2 && tries < 3000; tries++) whole = await collected(0);
    assert.deepEqual(whole, everything);
    await client.compress();
    assert.deepEqual(await collected(0), everything);
    // The order in which the two were read is random.
    const stamps = [
      await stampOf(client, 'http://x.org/a.html'),
      await stampOf(client, 'http://x.org/b.html'),
    ];
    const updatedAt = Math.max(...stamps);
    while (Math.floor(systemClock.now() / 1000) <= updatedAt)
      await new Promise((resolve) => setTimeout(resolve, 50));
    await jsonOf(['gatherer', 'annotate', 'http://x.org/b.html', '--set', 'Title=Mine', '--data', 'data'], {
      cwd: folder.path,
    });
    assert.deepEqual(await collected(updatedAt + 1), ['update http://x.org/b.html Mine']);
  },
);

/** Seconds since 1970 at which a page was summarised. */
async function stampOf(client: GatherdClient, url: string): Promise<number> {
  return Number(attributeText(await client.object(url), 'Update-Time'));
}
