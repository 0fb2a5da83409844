// A process to be killed: node store-writer.js DATABASE TRUTH-LOG SEED FIRST-STEP. It does the steps of a
// history one after the other and records in the truth log which it begins and which are done.
import { openSync, writeSync } from 'node:fs';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { doStep, stepAt } from './store-history.ts';

const [path, log, seed, first] = process.argv.slice(2);
if (path === undefined || log === undefined) throw new TypeError('DATABASE TRUTH-LOG SEED FIRST-STEP');

const truth = openSync(log, 'a');
const clock = new ManualClock(0);
const random = seededRandom(Number(seed));
// Sketches are written often, so that many kills happen between a journal and its sketch.
const store = await ObjectStore.open(await openDatabase(path), { clock, random, journalElements: 200 });
for (let k = Number(first); ; k++) {
  const step = stepAt(Number(seed), k);
  writeSync(truth, `begin ${k}\n`);
  await doStep(store, clock, step);
  writeSync(truth, `done ${k}\n`);
}
