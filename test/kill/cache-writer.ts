// A process to be killed: node cache-writer.js FOLDER TRUTH-LOG SEED FIRST-STEP. It does the steps of a history
// on the store of a cache and records in the truth log which it begins, which are done, and which are on disk.
import { openSync, writeSync } from 'node:fs';
import { openEntryStore } from '../../cache/index.ts';
import { seededRandom, systemClock } from '../../kernel/index.ts';
import { type CacheStep, cacheContent, cacheStepAt, tagOf } from './cache-history.ts';

const [folder, log, seed, first] = process.argv.slice(2);
if (folder === undefined || log === undefined) throw new TypeError('FOLDER TRUTH-LOG SEED FIRST-STEP');

const truth = openSync(log, 'a');
const store = await openEntryStore({
  ...{ folder, memoryBytes: 2 ** 20, diskBytes: 2 ** 28, largestEntryBytes: 2 ** 24 },
  ...{ clock: systemClock, random: seededRandom(Number(seed)) },
});

const headOf = (url: string, number: number) => ({
  ...{ url, status: 200, reason: 'OK', fields: ['X-Step', String(number)], selecting: [] },
  ...{ authorized: false, requestedAtMs: number, receivedAtMs: number },
});

async function doStep(step: CacheStep, number: number): Promise<void> {
  if (step.do === 'flush') return store.flush();
  if (step.do === 'purge-tag') return void (await store.purge({ tag: 'fourth' }, { soft: false }));
  const { key } = step;
  if (step.do === 'invalidate') return void (await store.invalidate(key));
  if (step.do === 'purge' || step.do === 'soft')
    return void (await store.purge({ url: key }, { soft: step.do === 'soft' }));
  if (step.do === 'store') {
    const writer = store.write({ key, head: headOf(key, number), tags: [tagOf(key)], length: step.bytes });
    const content = cacheContent(number, step.bytes);
    for (let at = 0; at < content.length; at += 50_000)
      if ((await writer?.append(content.subarray(at, at + 50_000))) !== true) throw new Error('not kept');
    if ((await writer?.commit()) === undefined) throw new Error('not kept');
    return;
  }
  const [entry] = await store.variants(key);
  if (entry === undefined) return;
  if (step.do === 'remove') store.remove(entry);
  else
    store.updateHead(entry, {
      ...entry.head,
      fields: [...entry.head.fields.slice(0, 2), 'X-Head', String(number)],
    });
}

for (let number = Number(first); ; number++) {
  const step = cacheStepAt(Number(seed), number);
  writeSync(truth, `begin ${number}\n`);
  await doStep(step, number);
  writeSync(truth, `done ${number}\n`);
  if (step.do === 'flush') writeSync(truth, `disk ${number}\n`);
}
