import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPlan, type PipelinePlan } from '../pipeline-plan.ts';
import type { Product } from '../product.ts';
import { LightFirstProcessor } from './light-first-processor.ts';
import { ThreadProcessor } from './thread-processor.ts';

const bounds = { seconds: 30, heapMiB: 256, threads: 2 };
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

/** A type whose program never ends by itself. */
const endless: PipelinePlan = {
  ...defaultPlan,
  types: { byUrl: [], byName: [{ pattern: 'slow$', type: 'Slow' }], byContent: [] },
  customise: {
    ...defaultPlan.customise,
    programs: [{ type: 'Slow', command: ['sleep', '600'], seconds: 600 }],
  },
};

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
  const customise = {
    ...defaultPlan.customise,
    programs: [{ type: 'Mail', command: ['sleep', '0.5'], seconds: 60 }],
  };
  // Ten parts together exceed the limit, none of them alone, even on a busy machine.
  await using processor = new ThreadProcessor({ plan: { ...defaultPlan, customise }, ...bounds, seconds: 4 });
  const messages = Array.from(
    { length: 10 },
    (_, n) => `From a@b Mon Jan  1 00:00:00 1996\nFrom: a@b\nSubject: ${n}\n\nx\n\n`,
  );
  const found = await all(processor.process(page('all.mbox', messages.join(''))));
  assert.deepEqual(
    found.map(({ kind }) => kind),
    messages.map(() => 'summary'),
  );
});

test('a document that takes too long gets the plain summary, and others go on', async () => {
  await using processor = new ThreadProcessor({ plan: endless, ...bounds, seconds: 1 });
  const [slow, quick] = await Promise.all([
    all(processor.process(page('very-slow', 'x'))),
    all(processor.process(page('a.html', '<title>Quick'))),
  ]);
  assert.deepEqual(
    slow.map((product) => (product.kind === 'refused' ? product.code : product.kind)),
    ['GATHERER_GIVEN_UP', 'summary'],
  );
  assert.match(JSON.stringify(slow[1]), /Not summarised: it takes longer than 1 seconds/);
  assert.equal(title(quick), 'Quick');
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

test('a few light documents need no thread', async () => {
  await using processor = new LightFirstProcessor({ plan: defaultPlan, ...bounds, threads: 1 });
  for (let n = 0; n < 40; n++)
    assert.equal(title(await all(processor.process(page(`${n}.html`, `<title>Page ${n}`)))), `Page ${n}`);
});

test('an abort ends the thread at once, although its reader has stopped silently', async () => {
  await using processor = new ThreadProcessor({ plan: endless, ...bounds, threads: 1 });
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
