import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FederatedAnswer } from '../../broker/index.ts';
import type { ListedServer } from '../../registry/index.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere } from '../commands/command-here.ts';
import { assertAccessible } from './accessible.ts';
import { launched, phone, skip } from './browser-page.ts';

interface BrokerSays {
  readonly search: string;
}

const words = { physics: 'tide harbour quantum', history: 'tide harbour charter' };

/** Gather a small site, and serve a Broker that collected it and registers. */
async function department(
  folder: string,
  name: keyof typeof words,
  { port, registry }: { readonly port: number; readonly registry: string },
): Promise<Server<BrokerSays>> {
  const cwd = join(folder, name);
  await mkdir(join(cwd, 'site'), { recursive: true });
  for (let page = 0; page < 3; page++)
    await writeFile(
      join(cwd, 'site', `${page}.html`),
      `<title>${name} ${page}</title><p>${words[name]} page ${page}`,
    );
  // Both departments have this page.
  await writeFile(join(cwd, 'site', 'tables.html'), '<title>tables</title><p>tide tables of the harbour');
  await jsonHere(['gatherer', 'run', '--root', 'site', '--base-url', `https://${name}.example/`], { cwd });
  await using gatherer = await startServer<{ readonly collect: string }>(
    ['gatherer', 'serve', '--port', '0'],
    { cwd },
  );
  await jsonHere(['broker', 'collect', '--collect', gatherer.ready.collect], { cwd });
  const settings = [
    '--registry',
    registry,
    '--name',
    name,
    '--renewal',
    '5s',
    '--administrator',
    'The office',
  ];
  return startServer<BrokerSays>(['broker', 'serve', '--port', String(port), ...settings], { cwd });
}

const json = async <Value>(url: string) => (await (await fetch(url)).json()) as Value;

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}

test('a Registry lists two Brokers and searches them as one, and names the one that stopped', {
  skip,
  timeout: 120_000,
}, async (t) => {
  await using folder = await temporaryFolder();
  const ports = [await freePort(), await freePort()] as const;
  await using registry = await startServer<{ readonly registry: string }>(
    [
      'registry',
      'serve',
      '--port',
      '0',
      '--name',
      'The university',
      ...ports.flatMap((port) => ['--allow-hosts', `127.0.0.1:${port}`]),
    ],
    { cwd: folder.path },
  );
  const at = registry.ready.registry;
  await using physics = await department(folder.path, 'physics', { port: ports[0], registry: at });
  await using history = await department(folder.path, 'history', { port: ports[1], registry: at });
  const servers = async () =>
    (await json<{ readonly servers: readonly ListedServer[] }>(`${at}servers`)).servers;
  await until(async () => (await servers()).length === 2);
  assert.deepEqual(
    (await servers()).map(({ name, url, type, objects, administrator }) => [
      name,
      url,
      type,
      objects,
      administrator,
    ]),
    [
      ['history', history.ready.search, 'BROKER', 4, 'The office'],
      ['physics', physics.ready.search, 'BROKER', 4, 'The office'],
    ],
  );

  const answer = await json<FederatedAnswer>(`${at}federated?q=tide`);
  assert.equal(answer.total, 8);
  assert.deepEqual(answer.coverage, { answered: 2, asked: 2 });
  assert.deepEqual(
    new Set(answer.hits.map(({ broker }) => broker)),
    new Set([physics.ready.search, history.ready.search]),
  );

  const both = answer.hits.filter(({ title }) => title === 'tables');
  assert.deepEqual(
    both.map(({ broker, alsoAt }) => [broker, ...alsoAt.map((also) => also.broker)].sort()),
    [[physics.ready.search, history.ready.search].sort()],
  );

  const query = ['search', 'tide', '--registry', at];
  const timeless = ({ tookMs: _, ...rest }: FederatedAnswer) => rest;
  const printed = await jsonHere<FederatedAnswer>(query, { cwd: folder.path });
  assert.deepEqual(timeless(printed), timeless(answer));

  // Only the content summaries say which of the two has these words.
  const asked = async (word: string) =>
    (await json<FederatedAnswer>(`${at}federated?q=${word}&brokers=1`)).brokers.map(({ title }) => title);
  await until(
    async () => (await asked('quantum'))[0] === 'physics' && (await asked('charter'))[0] === 'history',
  );
  const { stdout } = await runHere(query, { cwd: folder.path });
  assert.match(stdout, /^8 results of 2 of 2 Brokers in /);
  assert.match(
    stdout,
    /from (?:history, also at physics|physics, also at history) as https:[^\n]*tables.html\n/,
  );
  const unset = await runHere(['search', 'tide'], { cwd: folder.path });
  assert.match(
    `${unset.code} ${unset.stderr}`,
    /^2 .*no Registry is set[\s\S]*server.registry in garner.yaml/,
  );
  const set = { cwd: folder.path, env: { GARNER_SERVER_REGISTRY: at } };
  const one = await jsonHere<FederatedAnswer>(['search', 'tide', '--brokers', '1', '--deadline', '1.5'], set);
  assert.deepEqual([one.coverage.asked, one.omittedTotal], [1, 1]);
  const patient = await runHere([...query, '--deadline', '60']);
  assert.match(
    patient.stderr,
    /deadline must be seconds above 0, such as 2 or 2s, and at most the registry.deadline of this Registry, 2s/,
  );

  const listed = await jsonHere<readonly ListedServer[]>(['registry', 'list'], { cwd: folder.path });
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['history', 'physics'],
  );
  const elsewhere = ['registry', 'list', '--type', 'gatherer', '--registry', at];
  assert.deepEqual(await jsonHere(elsewhere, { cwd: folder.path }), []);
  const described = ['registry', 'describe', listed[0]?.serverId ?? '', '--registry', at];
  const { software } = await jsonHere<ListedServer>(described, { cwd: folder.path });
  assert.match(software, /^garner\/\d/);

  const browser = await launched();
  t.after(() => browser.close());
  const page = await browser.newPage(phone);
  await page.goto(at);
  await page.locator('h1').filter({ hasText: '2 servers' }).waitFor();
  await assertAccessible(page, 'the Registry');
  await page.fill('#q', 'tide');
  await page.keyboard.press('Enter');
  await page.locator('h1').filter({ hasText: '8 results of 2 of 2 Brokers' }).waitFor();
  assert.equal(await page.locator('.result').count(), 7);
  assert.equal(await page.locator('.facts a', { hasText: 'physics' }).count(), 4);
  assert.equal(await page.locator('.facts li', { hasText: 'also at' }).count(), 1);
  assert.match((await page.textContent('.also')) ?? '', /Also at 1 other address.*example/);
  assert.equal(await page.textContent('[aria-live=polite]'), '8 results of 2 of 2 Brokers');
  await assertAccessible(page, 'the Registry');
  await page.locator('.rest > summary').first().click();
  await page.locator('.result .summary').first().click();
  assert.match((await page.textContent('body')) ?? '', /Attributes of the summary/);

  process.kill(history.pid, 'SIGKILL');
  await history.stop();
  await page.goto(`${at}?q=tide`);
  await page.locator('h1').filter({ hasText: '4 results of 1 of 2 Brokers' }).waitFor();
  assert.match((await page.textContent('.notice')) ?? '', /1 Broker of 2 did not answer:history: /);
  assert.equal(await page.textContent('[aria-live=polite]'), '4 results of 1 of 2 Brokers');
  await assertAccessible(page, 'the Registry');
  const left = await runHere(query);
  assert.match(left.stdout, /^4 results of 1 of 2 Brokers in [^\n]*\n {2}without history \(http/);

  // A server that ends in order signs off.
  await physics.stop();
  await until(async () => (await servers()).every(({ name }) => name !== 'physics'));
});
