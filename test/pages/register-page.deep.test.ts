import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AuditEntry } from '../../broker/index.ts';
import type { Application, ListedServer } from '../../registry/index.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';
import { assertAccessible } from './accessible.ts';
import { launched, phone, skip } from './browser-page.ts';

const token = 'an-admin-token-for-the-test';
const hostile = '<img src=x onerror=alert(1)>';

const servers = async (at: string) =>
  ((await (await fetch(`${at}servers`)).json()) as { readonly servers: readonly ListedServer[] }).servers;

test('a stranger applies by form without scripts, and an administrator approves or refuses', {
  skip,
  timeout: 120_000,
}, async (t) => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await using registry = await startServer<{ readonly registry: string; readonly administration: string }>(
    ['registry', 'serve', '--port', '0'],
    { ...here, env: { GARNER_HTTP_ADMIN_TOKENS: token } },
  );
  const { registry: at, administration } = registry.ready;
  const browser = await launched();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ ...phone, javaScriptEnabled: false })).newPage();
  const checked = await browser.newPage(phone);
  const apply = async (name: string, url: string, at = page) => {
    await at.fill('#url', url);
    await at.fill('#name', name);
    await at.click('text=Apply');
  };

  await page.goto(at);
  await page.click('text=Add a server');
  await page.selectOption('#type', 'gatherer');
  await page.fill('#topics', 'tide, sea');
  await page.fill('#description', 'Everything about tides.');
  await apply('Harbour', 'https://user:secret@harvest.example.org/');
  await page.locator('.fault').filter({ hasText: 'has a user' }).waitFor();
  assert.equal(await page.inputValue('#topics'), 'tide, sea', 'what was typed is kept');
  assert.equal(await page.inputValue('#type'), 'gatherer');
  await apply('Harbour', 'https://harvest.example.org/');
  await page.locator('.said').filter({ hasText: 'An administrator decides' }).waitFor();
  await apply(hostile, 'https://spam.example.org/');
  await page.locator('.said').waitFor();
  assert.deepEqual(await servers(at), []);
  const foreign = await fetch(`${at}register`, {
    ...{ method: 'POST', headers: { origin: 'https://elsewhere.example' } },
    body: new URLSearchParams({ type: 'broker', url: 'https://x.example/', name: 'X' }),
  });
  assert.equal(foreign.status, 403, 'the form of another site is not taken');

  await checked.goto(`${at}register`);
  await assertFits(checked, 'the form');
  await apply('X', 'https://user:secret@harvest.example.org/', checked);
  await checked.locator('.fault').waitFor();
  await assertFits(checked, 'the refused form');
  for (const one of [page, checked]) {
    await one.goto(administration);
    await one.fill('#token', token);
    await one.keyboard.press('Enter');
  }
  await checked.locator('h2').filter({ hasText: 'Applications' }).waitFor();
  await assertFits(checked, 'the applications');
  const section = page.locator('section[aria-labelledby=applications]');
  await section.waitFor();
  assert.match((await section.textContent()) ?? '', /<img src=x/, 'a hostile name is text');
  await section.locator('tr').filter({ hasText: 'Harbour' }).locator('text=Approve').click();
  await page.locator('.said').filter({ hasText: 'is listed as unsigned' }).waitFor();
  await section.locator('text=Refuse').click();
  await page.locator('.said').filter({ hasText: 'was refused' }).waitFor();
  await page.goto(at);
  await page.locator('td').filter({ hasText: 'unsigned' }).waitFor();
  await checked.goto(at);
  await checked.locator('td').filter({ hasText: 'unsigned' }).waitFor();
  await assertFits(checked, 'the list');
  await checked.locator('td').filter({ hasText: 'not reached yet' }).waitFor();
  await page.goto(`${at}topology`);
  await page.locator('td').filter({ hasText: 'not reached yet' }).waitFor();
  assert.match(
    (await runHere(['registry', 'list', '--registry', at], here)).stdout,
    /Harbour .* not reached yet {2}unsigned$/m,
  );
  const shown = (await servers(at)).map(({ name, type, unsigned }) => [name, type, unsigned]);
  assert.deepEqual(shown, [['Harbour', 'GATHERER', true]]);
  const { entries } = (await (
    await fetch(`${at}control/audit`, { headers: { authorization: `Bearer ${token}` } })
  ).json()) as { readonly entries: readonly AuditEntry[] };
  assert.deepEqual(
    entries.slice(0, 2).map(({ action, outcome, note }) => [action, outcome, note]),
    [
      ['application refuse', 'done', `${hostile} at https://spam.example.org/`],
      ['application approve', 'done', 'Harbour at https://harvest.example.org/'],
    ],
  );

  // From a terminal: held without the token, listed at once with it, decided on this machine without an address.
  const register = (url: string, env?: Readonly<Record<string, string>>) =>
    jsonHere<{ readonly id: string; readonly state: string }>(
      ['registry', 'register', url, '--type', 'broker', '--name', url, '--registry', at],
      { ...here, ...(env && { env }) },
    );
  const held = await register('https://one.example/');
  assert.equal(held.state, 'held');
  const waiting = await jsonHere<readonly Application[]>(['registry', 'approve'], here);
  assert.deepEqual(
    waiting.map(({ id, url }) => [id, url]),
    [[held.id, 'https://one.example/']],
  );
  await jsonHere(['registry', 'approve', held.id, '--refuse'], here);
  const own = { GARNER_REGISTRY_TOKEN: token };
  assert.equal((await register('https://two.example/', own)).state, 'listed');
  const urls = (await servers(at)).map(({ url }) => url);
  assert.deepEqual(urls, ['https://harvest.example.org/', 'https://two.example/']);

  // A flood, by the form or by the API.
  const post = (path: string, body: string) => fetch(`${at}${path}`, { method: 'POST', body });
  assert.equal((await post('applications', ' '.repeat(40_000))).status, 413);
  let answer = await post('applications', '');
  for (let sent = 1; answer.status !== 429 && sent < 500; sent++) answer = await post('applications', '');
  assert.equal(answer.status, 429);
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  let form = await post('register', 'type=broker');
  for (let sent = 1; form.status !== 429 && sent < 500; sent++) form = await post('register', 'type=broker');
  assert.equal(form.status, 429);
});

async function assertFits(page: Page, what: string): Promise<void> {
  await assertAccessible(page, what);
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what);
}

interface Ready {
  readonly registry: string;
}

test('a server proves its address by its own document, and a site proves or does not prove one below it', {
  timeout: 60_000,
}, async () => {
  await using folder = await temporaryFolder();
  await using site = await openSite();
  const port = String(await freePort());
  const allowed = [site.url, `http://127.0.0.1:${port}`].flatMap((host) => ['--allow-hosts', host]);
  await using registry = await startServer<Ready>(
    ['registry', 'serve', '--port', '0', '--data', 'r', ...allowed],
    { cwd: folder.path },
  );
  const at = registry.ready.registry;
  const serve = (name: string, ...more: readonly string[]): Promise<Server<{ readonly search: string }>> =>
    startServer(
      [
        'broker',
        'serve',
        '--port',
        name === 'own' ? port : '0',
        '--data',
        name,
        '--name',
        name,
        '--registry',
        at,
        ...more,
      ],
      { cwd: folder.path },
    );
  await using own = await serve('own');
  site.document = await (await fetch(new URL('.well-known/garner.json', own.ready.search))).json();
  await using _liar = await serve('liar', '--public-url', `${site.url}liar/`);
  const states = async () => (await servers(at)).map(({ name, proof }) => [name, proof]);
  const wanted = [
    ['liar', 'unproved'],
    ['own', 'proved'],
  ];
  while (JSON.stringify(await states()) !== JSON.stringify(wanted))
    await new Promise((resolve) => setImmediate(resolve));
  const page = await (await fetch(at)).text();
  assert.match(page, /<span class="warning">unproved<\/span>/);
  assert.match(page, />proved</);
});

/** A site that serves what the test puts there. */
async function openSite() {
  const site = { document: {} as unknown, url: '' };
  const server = createServer((_request, response) => response.end(JSON.stringify(site.document)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(site, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
