import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../../kernel/index.ts';
import { programGroup } from '../../programs/index.ts';
import { hasEnded } from '../../testing/has-ended.ts';
import { scratch } from '../../testing/run-memory.ts';
import { defaultPlan, type PipelinePlan } from '../pipeline-plan.ts';
import type { Product } from '../product.ts';
import { LightFirstProcessor } from './light-first-processor.ts';
import { ThreadProcessor } from './thread-processor.ts';

// The time limit is no part of most tests.
const bounds = { seconds: 300, heapMiB: 256, threads: 2 };
const page = (name: string, text: string) => ({
  url: `http://site.example/${name}`,
  name,
  bytes: Buffer.from(text),
});

async function all(products: AsyncIterable<Product>): Promise<readonly Product[]> {
  const found: Product[] = [];
  for await (const product of products) found.push(product);
  return found;
}

function title([product]: readonly Product[]): string | undefined {
  return product?.kind === 'summary' ? new Map(product.summary.attributes).get('Title') : undefined;
}

/** A type whose program creates the file `begun`, and does not end while the file exists. */
const endless = (begun: string): PipelinePlan => ({
  ...defaultPlan,
  types: { byUrl: [], byName: [{ pattern: 'slow$', type: 'Slow' }], byContent: [] },
  customise: {
    ...defaultPlan.customise,
    programs: [
      {
        type: 'Slow',
        command: ['sh', '-c', 'echo begun > "$0"; while [ -e "$0" ]; do sleep 1; done', begun],
        seconds: 600,
      },
    ],
  },
});

/** Keeps the process alive: threads do not, and neither does a clock that is moved by hand. */
function staysAlive(): Disposable {
  const timer = setInterval(() => undefined, 60_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('threads give the products of the pipeline, for many documents at once', async () => {
  await using processor = new ThreadProcessor({ plan: defaultPlan, ...bounds });
  const found = await Promise.all(
    Array.from({ length: 20 }, (_, n) => all(processor.process(page(`${n}.html`, `<title>Page ${n}`)))),
  );
  assert.deepEqual(
    found.map(title),
    found.map((_, n) => `Page ${n}`),
  );
  await processor.rest();
  assert.equal(title(await all(processor.process(page('z.html', '<title>After a rest')))), 'After a rest');
});

test('a document of very many parts comes in pieces, and the reader may stop in the middle', async () => {
  await using processor = new ThreadProcessor({ plan: defaultPlan, ...bounds });
  const messages = Array.from(
    { length: 500 },
    (_, n) => `From a@b Mon Jan  1 00:00:00 1996\nFrom: a@b\nSubject: ${n}\n\nx\n\n`,
  );
  const mbox = page('all.mbox', messages.join(''));
  assert.equal((await all(processor.process(mbox))).length, 500);
  let seen = 0;
  for await (const _ of processor.process(mbox)) if (++seen === 3) break;
  assert.equal(title(await all(processor.process(page('a.html', '<title>Still here')))), 'Still here');
});

test('the time limit applies from one part to the next, for any number of parts', async () => {
  using _ = staysAlive();
  using home = scratch('parts');
  const clock = new ManualClock();
  const [begun, goOn] = [join(home.path, 'begun'), join(home.path, 'go-on')];
  execFileSync('mkfifo', [goOn]);
  // The program of each part waits until the test lets it go on.
  const script = `echo begun >> '${begun}'; read line < '${goOn}'`;
  const customise = {
    ...defaultPlan.customise,
    programs: [{ type: 'Mail', command: ['sh', '-c', script], seconds: 600 }],
  };
  // A millisecond, so that a thread holds no product back: each part is one message.
  const limits = { ...bounds, seconds: 0.001, clock };
  await using processor = new ThreadProcessor({ plan: { ...defaultPlan, customise }, ...limits });
  const messages = Array.from(
    { length: 10 },
    (_, n) => `From a@b Mon Jan  1 00:00:00 1996\nFrom: a@b\nSubject: ${n}\n\nx\n\n`,
  );
  let settled = false;
  const found = all(processor.process(page('all.mbox', messages.join('')))).finally(() => {
    settled = true;
  });
  // The parts together take ten times the limit, none of them more than it.
  for (const part of messages.keys()) {
    while (!settled && (!existsSync(begun) || readFileSync(begun, 'utf8').length < 6 * (part + 1)))
      await nextTurn();
    clock.advance(1);
    await nextTurn();
    if (!settled) await writeFile(goOn, '\n');
  }
  assert.deepEqual(
    (await found).map(({ kind }) => kind),
    messages.map(() => 'summary'),
  );
});

test('a document that takes too long gets the plain summary, and others go on', async () => {
  using _ = staysAlive();
  for (const threads of [1, 2]) {
    using home = scratch('slow');
    const clock = new ManualClock();
    const begun = join(home.path, 'begun');
    const limits = { ...bounds, seconds: 1, clock, threads, strainMs: 1 };
    await using processor = new ThreadProcessor({ plan: endless(begun), ...limits });
    let slowHasEnded = false;
    const programs: number[] = [];
    const forget = programGroup.subscribe(({ group, running }) => running && programs.push(group));
    const slow = all(processor.process(page('very-slow', 'x'))).finally(() => {
      slowHasEnded = true;
    });
    const quick = all(processor.process(page('a.html', '<title>Quick')));
    while (!(existsSync(begun) && programs.length > 0) && !slowHasEnded) await nextTurn();
    // A second thread does not wait for the first one.
    if (threads > 1) assert.equal(title(await quick), 'Quick');
    // A second, and the quarter of it that a thread may hold a product back.
    clock.advance(1249);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    assert.ok(!slowHasEnded);
    clock.advance(1);
    const found = await slow;
    assert.deepEqual(
      found.map((product) => (product.kind === 'refused' ? product.code : product.kind)),
      ['GATHERER_GIVEN_UP', 'summary'],
    );
    assert.match(JSON.stringify(found[1]), /Not summarised: it takes longer than 1 seconds/);
    // The program of the document ends with its thread.
    assert.equal(programs.length, 1);
    while (!programs.every(hasEnded)) await nextTurn();
    assert.equal(title(await quick), 'Quick');
    assert.equal(title(await all(processor.process(page('b.html', '<title>Next')))), 'Next');
    forget();
  }
});

test('a document that needs too much memory does too', async () => {
  await using processor = new ThreadProcessor({ plan: defaultPlan, ...bounds, heapMiB: 64 });
  const found = await all(
    processor.process(page('a.html', `<p>${'<a href="x?y">z</a> '.repeat(2_000_000)}`)),
  );
  assert.ok(found.some((product) => product.kind === 'refused' && product.code === 'GATHERER_GIVEN_UP'));
  assert.match(JSON.stringify(found.at(-1)), /memory/);
  assert.equal(title(await all(processor.process(page('b.html', '<title>Next')))), 'Next');
});

test('long texts of short lines are read in a small memory', async () => {
  await using processor = new ThreadProcessor({ plan: defaultPlan, ...bounds, threads: 1 });
  for (const name of ['list.txt', 'README', 'Makefile', 'list.py']) {
    const found = await all(processor.process(page(name, 'ab: c\n'.repeat(5_000_000))));
    assert.deepEqual(
      found.map(({ kind }) => kind),
      ['summary'],
      name,
    );
  }
});

test('a few light documents need no thread', async () => {
  await using processor = new LightFirstProcessor({ plan: defaultPlan, ...bounds, threads: 1 });
  for (let n = 0; n < 40; n++)
    assert.equal(title(await all(processor.process(page(`${n}.html`, `<title>Page ${n}`)))), `Page ${n}`);
});

test('an abort ends the thread at once, although its reader has stopped silently', async () => {
  using home = scratch('left');
  const plan = endless(join(home.path, 'begun'));
  await using processor = new ThreadProcessor({ plan, ...bounds, threads: 1 });
  const stop = new AbortController();
  const left = processor.process(page('very-slow', 'x'), stop.signal)[Symbol.asyncIterator]();
  const waiting = left.next();
  const next = all(processor.process(page('a.html', '<title>Next')));
  stop.abort(new Error('enough'));
  await assert.rejects(waiting, /enough/);
  assert.equal(title(await next), 'Next');

  // In the middle of many products, the reader neither continues nor closes.
  const messages = Array.from(
    { length: 5000 },
    (_, n) => `From a@b Mon Jan  1 00:00:00 1996\nFrom: a@b\nSubject: ${n}\n\nx\n\n`,
  );
  const again = new AbortController();
  const many = processor.process(page('all.mbox', messages.join('')), again.signal)[Symbol.asyncIterator]();
  assert.equal((await many.next()).done, false);
  again.abort();
  assert.equal(title(await all(processor.process(page('b.html', '<title>Still here')))), 'Still here');
});
