import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseSoif } from '../soif/index.ts';
import { runCommand, startServer, temporaryFolder } from './commands/command.ts';

async function page(path: string, title: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `<!doctype html><title>${title}</title><p>The words of ${title}.</p>`);
}

/** The titles in a Gatherer's stream by URL. */
async function titles(soif: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(soif);
  assert.ok(response.ok && response.body !== null, `${response.status}`);
  const found: Record<string, string> = {};
  for await (const { object } of parseSoif(response.body)) {
    const title = object.attributes.find(({ name }) => name === 'Title');
    found[object.url] = Buffer.from(title?.value ?? []).toString();
  }
  return found;
}

/** Request the stream until its titles are these; throws with the last ones after 30 s. */
async function untilTitles(soif: string, wanted: Readonly<Record<string, string>>): Promise<void> {
  const started = performance.now();
  for (;;) {
    const found = await titles(soif);
    try {
      return assert.deepEqual(found, wanted);
    } catch (error) {
      if (performance.now() - started > 30_000) throw error;
    }
  }
}

/** A web site of one page that counts the requests for it. */
async function countedSite() {
  let requests = 0;
  let noticed = () => {};
  const server = createServer(({ url }, response) => {
    if (url !== '/') return response.writeHead(404).end();
    requests++;
    noticed();
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<title>On the web</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests: () => requests,
    /** Resolves when there were so many requests. */
    requested: (wanted: number) =>
      new Promise<void>((resolve) => {
        noticed = () => requests >= wanted && resolve();
        noticed();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a serving Gatherer follows every folder of gatherer.roots, beside one of --root, without a request to a web root', async () => {
  await using folder = await temporaryFolder();
  await using web = await countedSite();
  const cwd = folder.path;
  const at = (path: string) => join(cwd, path);
  const bare = pathToFileURL(at('bare/')).href;
  const based = 'https://www.example.org/papers/';
  await page(at('bare/a.html'), 'bare a');
  await page(at('bare/b.html'), 'bare b');
  await page(at('papers/a.html'), 'papers a');
  await page(at('papers/b.html'), 'papers b');
  await page(at('given/a.html'), 'given a');
  await writeFile(
    at('garner.yaml'),
    `gatherer:\n  roots:\n    - ${bare}\n    - { url: '${pathToFileURL(at('papers')).href}', base-url: '${based}' }\n    - ${web.url}\n`,
  );
  const serve = ['gatherer', 'serve', '--port', '0', '--data', 'data'];
  const change = async (soif: string, runs: number, before: Readonly<Record<string, string>>) => {
    await web.requested(runs);
    await untilTitles(soif, before);
    await page(at('bare/a.html'), 'bare a, changed');
    await page(at('bare/new/c.html'), 'bare c');
    await rm(at('bare/b.html'));
    await page(at('papers/a.html'), 'papers a, changed');
    await page(at('papers/new/c.html'), 'papers c');
    await rm(at('papers/b.html'));
    await untilTitles(soif, {
      ...Object.fromEntries(Object.entries(before).filter(([url]) => !url.endsWith('/b.html'))),
      [`${bare}a.html`]: 'bare a, changed',
      [`${bare}new/c.html`]: 'bare c',
      [`${based}a.html`]: 'papers a, changed',
      [`${based}new/c.html`]: 'papers c',
    });
    assert.equal(web.requests(), runs, 'the web site was walked again');
  };
  const gathered = {
    [`${bare}a.html`]: 'bare a',
    [`${bare}b.html`]: 'bare b',
    [`${based}a.html`]: 'papers a',
    [`${based}b.html`]: 'papers b',
    [web.url]: 'On the web',
  };
  {
    await using server = await startServer<{ soif: string }>(serve, { cwd });
    await change(server.ready.soif, 1, gathered);
  }
  // The same with a site of --root from an earlier run.
  for (const name of ['bare', 'papers']) {
    await rm(at(`${name}/new`), { recursive: true });
    for (const letter of ['a', 'b']) await page(at(`${name}/${letter}.html`), `${name} ${letter}`);
  }
  const run = await runCommand(['gatherer', 'run', '--root', 'given', '--data', 'data'], { cwd });
  assert.equal(run.code, 0, run.stderr);
  await using server = await startServer<{ soif: string }>(serve, { cwd });
  await change(server.ready.soif, 3, { ...gathered, [pathToFileURL(at('given/a.html')).href]: 'given a' });
});
