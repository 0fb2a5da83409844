import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellsFor, encodeShortIds, SetSummary, Sketch, shortIdOf } from '../../awareness/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { type Database, ObjectStore, openDatabase } from '../../store/index.ts';
import { median } from '../harness/statistics.ts';
import { ChangingStore } from './objects.ts';

/** What putting `objects` objects costs, in CPU seconds: medians of a few rounds. */
export interface WriteMeasured {
  readonly objects: number;
  /** All of it: reading, encoding, naming, summing up, and the database's own. */
  readonly total: number;
  /** The database's own: its threads, and the calls that hand it a batch. */
  readonly database: number;
  /** What the summaries add: short ids, cells, estimate, journal. */
  readonly summaries: number;
}

const objects = 100_000;
/** Put before: the sketch has its full length then. */
const before = 70_000;
const batch = 1000;
const rounds = 3;

/** CPU seconds of this process's main thread, and of all others. */
function threads(): { readonly main: number; readonly others: number } {
  let [main, others] = [0, 0];
  for (const task of readdirSync('/proc/self/task')) {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
    if (Number(task) === process.pid) main += nanoseconds;
    else others += nanoseconds;
  }
  return { main: main / 1e9, others: others / 1e9 };
}

/** A database that tells what handing it its batches costs. */
function metered(database: Database, onBatch: (seconds: number) => void): Database {
  return {
    ...database,
    batch: (writes, options) => {
      const start = threads().main;
      const done = database.batch(writes, options);
      onBatch(threads().main - start);
      return done;
    },
  };
}

/** Put the objects into a store: CPU seconds of all of it, and of the database's own. */
async function put(path: string): Promise<{ readonly total: number; readonly database: number }> {
  let calls = 0;
  const database = metered(await openDatabase(path), (seconds) => {
    calls += seconds;
  });
  await using store = await ObjectStore.open(database, { clock: systemClock, random: systemRandom });
  const changing = new ChangingStore(store, identityFrom(newIdentitySecret()).serverId, systemRandom);
  await changing.load(before);
  calls = 0;
  const start = threads();
  await changing.load(before + objects);
  const end = threads();
  const others = end.others - start.others;
  return { total: end.main - start.main + others, database: calls + others };
}

/** The same work of the summaries alone: names, cells, estimate, and rows of a journal as large as a store's. */
async function sumUp(path: string): Promise<number> {
  const handles = Array.from({ length: objects }, () => systemRandom.bytes(16));
  const summary = new SetSummary(new Sketch(cellsFor(before + objects)));
  await using database = await openDatabase(path);
  const start = threads();
  for (let at = 0; at < objects; at += batch) {
    const ids = handles.slice(at, at + batch).map((handle) => shortIdOf(handle, handle));
    const key = Buffer.from(`journal ${at}`);
    await database.batch([{ type: 'put', key, value: encodeShortIds(ids) }]);
    for (const id of ids) summary.add(id);
  }
  const end = threads();
  return end.main - start.main + end.others - start.others;
}

/** Put objects into stores, and do what their summaries do apart: a difference of two long runs would be noise. */
export async function probeAwarenessWrite([folder = '']: readonly string[]): Promise<WriteMeasured> {
  const costs: Awaited<ReturnType<typeof put>>[] = [];
  const sums: number[] = [];
  for (let round = 0; round < rounds; round++) {
    costs.push(await put(join(folder, `store-${round}`)));
    sums.push(await sumUp(join(folder, `sums-${round}`)));
  }
  const summaries = median(sums);
  // The journal's rows are in the database's own here, and too few to matter.
  return {
    ...{ objects, summaries, total: median(costs.map(({ total }) => total)) },
    database: median(costs.map(({ database }) => database)),
  };
}
