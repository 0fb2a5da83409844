import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FederatedAnswer } from '../../broker/index.ts';
import type { ServerEntry } from '../../registry/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { until } from '../kill/server-process.ts';
import { assertAccessible } from '../pages/accessible.ts';
import { desktop, launched, skip } from '../pages/browser-page.ts';

interface Demo {
  readonly registry: string;
  readonly topology: string;
  readonly servers: readonly {
    readonly role: string;
    readonly name: string;
    readonly url: string;
    readonly status?: string;
    readonly pid: number;
  }[];
}

const json = async <Value>(url: string) => (await (await fetch(url)).json()) as Value;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the demo runs nine servers that are searched as one, shows the one that is killed, and leaves none behind', {
  skip,
  timeout: 120_000,
}, async () => {
  await using folder = await temporaryFolder();
  const demo = await startServer<Demo>(['up', '--demo-federation', '--port', '0'], { cwd: folder.path });
  const { registry, topology, servers } = demo.ready;
  try {
    const roles = servers.map(({ role }) => role).sort();
    assert.deepEqual(roles, [
      ...['broker', 'broker', 'broker', 'cache', 'cache'],
      ...['gatherer', 'gatherer', 'gatherer', 'registry'],
    ]);
    const listed = () => json<{ readonly servers: readonly ServerEntry[] }>(`${registry}servers`);
    await until('eight servers with what they counted', listed, (answer) => {
      const counted = answer.servers.filter(({ type, objects = 0 }) => type === 'CACHE' || objects === 9);
      return counted.length === 8;
    });
    const known = (await listed()).servers;
    const printed = servers.filter(({ role }) => role !== 'registry').map(({ url }) => url);
    assert.deepEqual(
      known.map(({ url }) => url).sort(),
      printed.sort(),
      'the addresses of the list are printed',
    );
    for (const { status } of servers.filter(({ role }) => role === 'cache'))
      assert.equal((await json<{ readonly role: string }>(status ?? '')).role, 'cache');
    // A stall of this length is not seen, and a killed server is late in less than half a minute.
    for (const { refreshSeconds } of known) assert.ok(refreshSeconds / 2 >= 2 && refreshSeconds * 1.5 < 30);
    const answer = await until(
      'an answer of three Brokers',
      () => json<FederatedAnswer>(`${registry}federated?q=mooring`),
      ({ hits }) => new Set(hits.map(({ broker }) => broker)).size >= 2,
    );
    assert.deepEqual(answer.coverage, { asked: 3, answered: 3 });
    await using browser = await launched();
    const page = await browser.newPage(desktop);
    await page.goto(`${registry}?q=tide`);
    for (const name of ['Harbour office', 'Observatory', 'Town archive'])
      await page.getByText(name).first().waitFor();
    await assertAccessible(page, 'the page of the demo');
    await page.goto(topology);
    await page.evaluate("document.body.dataset.first = 'yes'");
    const killed = servers.find(({ role, name }) => role === 'broker' && name === 'Observatory');
    process.kill(killed?.pid ?? 0, 'SIGKILL');
    await page.locator('tr', { hasText: 'Observatory' }).filter({ hasText: 'late' }).first().waitFor();
    assert.equal(await page.locator('body[data-first]').count(), 1, 'without a reload');
    // Another one is stopped: it takes connections and answers nothing.
    const stopped = servers.find(({ role, name }) => role === 'broker' && name === 'Town archive');
    process.kill(stopped?.pid ?? 0, 'SIGSTOP');
    try {
      const rest = await json<FederatedAnswer>(`${registry}federated?q=tide&deadline=0.5`);
      assert.deepEqual(rest.coverage, { asked: 3, answered: 1 });
      const reasons = new Map(rest.brokers.map(({ title, error }) => [title, error]));
      assert.match(
        reasons.get('Town archive') ?? '',
        /takes longer than 0\.2 seconds|has not answered in 0\.5 s/,
      );
      assert.match(reasons.get('Observatory') ?? '', /./);
      // The page without scripts says the same.
      const plain = await browser.newContext({ ...desktop, javaScriptEnabled: false });
      const still = await plain.newPage();
      await still.goto(`${registry}?q=tide`);
      await still.locator('.took', { hasText: 'of 1 of 3 Brokers' }).waitFor();
      await still.getByText('Town archive').first().waitFor();
    } finally {
      process.kill(stopped?.pid ?? 0, 'SIGCONT');
    }
  } finally {
    await demo[Symbol.asyncDispose]();
  }
  assert.deepEqual(
    servers.filter(({ pid }) => isRunning(pid)),
    [],
  );
});
