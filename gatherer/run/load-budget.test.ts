import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';
import { LoadBudget, type LoadLimits } from './load-budget.ts';

const unlimited = { cpuShare: 100, cores: 2, readRate: 0, requestRate: 0 };

/** A budget over a clock and a CPU that the test moves. */
function budgetOf(limits: Partial<LoadLimits>) {
  const clock = new ManualClock(0);
  const cpu = { ms: 0 };
  const budget = new LoadBudget({ ...unlimited, clock, cpuMs: () => cpu.ms, ...limits });
  budget.begin();
  /** Work for this time with one core, then wait for the budget. */
  const work = async (ms: number, bytes = 1) => {
    cpu.ms += ms;
    clock.advance(ms);
    const paid = budget.spend(bytes);
    if (paid === undefined) return;
    let over = false;
    const done = paid.then(() => {
      over = true;
    });
    while (!over) {
      clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await done;
  };
  return { clock, cpu, budget, work };
}

test('without limits nothing is measured and nothing waits', () => {
  const clock = new ManualClock(0);
  const budget = new LoadBudget({ ...unlimited, clock, cpuMs: () => assert.fail('nobody asks') });
  assert.equal(budget.requests, undefined);
  assert.equal(budget.spend(1e9), undefined);
  assert.deepEqual(budget.waitedMs, {});
});

test('a share of the CPU is a share of all cores, and holds over any longer time', async () => {
  const { clock, cpu, budget, work } = budgetOf({ cpuShare: 25, cores: 2 });
  for (let n = 0; n < 100; n++) await work(20);
  const share = cpu.ms / (clock.now() * 2);
  assert.ok(share > 0.2 && share < 0.27, String(share));
  assert.ok(Math.abs((budget.waitedMs['gatherer.cpu-share'] ?? 0) - 2000) < 200);
});

test('CPU time used before a run does not count', async () => {
  const { clock, cpu, budget, work } = budgetOf({ cpuShare: 10 });
  cpu.ms = 1e6;
  budget.begin();
  await work(15);
  assert.equal(clock.now(), 15);
});

test('bytes of documents come at their rate, after a first second of them', async () => {
  const { clock, budget, work } = budgetOf({ readRate: 1000 });
  for (let n = 0; n < 20; n++) await work(0, 500);
  assert.ok(Math.abs(clock.now() - 9000) < 50, String(clock.now()));
  assert.ok((budget.waitedMs['gatherer.read-rate'] ?? 0) > 8900);
});

test('a sweep over unchanged documents costs a count, with a check of the CPU at intervals', () => {
  const clock = new ManualClock(0);
  let looks = 0;
  const cpuMs = () => {
    looks++;
    return 0;
  };
  const budget = new LoadBudget({ ...unlimited, cpuShare: 50, clock, cpuMs });
  for (let n = 0; n < 64_000; n++) assert.equal(budget.spend(0), undefined);
  assert.equal(looks, 1, 'time does not pass');
  for (let n = 0; n < 64_000; n++) {
    clock.advance(1);
    assert.equal(budget.spend(0), undefined);
  }
  assert.equal(looks, 1001, 'one look at 64 documents');
});

test('no run waits forever, and an abort ends the waiting', async () => {
  const { clock, cpu, budget } = budgetOf({ cpuShare: 1 });
  cpu.ms += 1e9;
  clock.advance(1e3);
  let over = false;
  const paid = budget.spend(1)?.then(() => {
    over = true;
  });
  clock.advance(5 * 60 * 1000 + 1000);
  await paid;
  assert.ok(over);
  const stop = new AbortController();
  cpu.ms += 1e9;
  clock.advance(1000);
  const refused = assert.rejects(budget.spend(1, stop.signal) as Promise<void>, /called off/);
  stop.abort(new Error('called off'));
  await refused;
});

/** A site with a Gatherer with a very small budget. */
async function starved(site: Site) {
  for (const name of ['a.html', 'b.html', 'c.html']) await site.page(name, name);
  const budget = new LoadBudget({ ...unlimited, readRate: 1, clock: site.clock });
  site.budget = budget;
  await site.reopen();
  return { gatherer: site.gatherer, budget };
}

/** Resolve when a run waits for the budget while the clock is stopped. */
async function waiting(site: Site, budget: LoadBudget): Promise<void> {
  do {
    await new Promise((resolve) => setImmediate(resolve));
    site.clock.advance(1);
  } while ((budget.waitedMs['gatherer.read-rate'] ?? 0) === 0);
}

test('annotating and reading do not wait for a waiting run; an abort ends it, the report has the waiting time', async () => {
  await using site = await Site.make();
  const { gatherer, budget } = await starved(site);
  const stop = new AbortController();
  const run = gatherer.run(stop.signal);
  await waiting(site, budget);
  const { outcome } = await gatherer.annotate(`${baseUrl}a.html`, { set: [['Keywords', 'k']], remove: [] });
  assert.ok(outcome);
  await gatherer.stored(`${baseUrl}a.html`);
  stop.abort();
  const report = await run;
  assert.equal(report.complete, false);
  assert.ok((report.waited['gatherer.read-rate'] ?? 0) > 0);
});

test('an update waits too, unless it has to hurry', async () => {
  await using site = await Site.make();
  const { gatherer, budget } = await starved(site);
  const files = ['a.html', 'b.html', 'c.html'].map((name) => `${site.root}/${name}`);
  const items = () => site.enumerator.changed({ paths: files, folders: [] }, gatherer.memory);
  const hurry = new AbortController();
  const update = gatherer.update(() => ({ items: items(), below: [] }), hurry.signal);
  await waiting(site, budget);
  hurry.abort(new Error('it ends'));
  assert.equal(await update, true);
  assert.equal(site.data.store.count, 3);
});
