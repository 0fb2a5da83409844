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
  readonly servers: readonly { readonly role: string; readonly name: string; readonly pid: number }[];
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
    const rest = await json<FederatedAnswer>(`${registry}federated?q=tide`);
    assert.deepEqual(rest.coverage, { asked: 3, answered: 2 });
  } finally {
    await demo[Symbol.asyncDispose]();
  }
  assert.deepEqual(
    servers.filter(({ pid }) => isRunning(pid)),
    [],
  );
});
