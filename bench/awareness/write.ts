import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cellsFor, encodeShortIds, SetSummary, Sketch, shortIdOf } from '../../awareness/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { type Database, ObjectStore, openDatabase } from '../../store/index.ts';
import { median } from '../harness/statistics.ts';
import { ChangingStore } from './objects.ts';

/** The cost of putting `objects` objects, in CPU seconds: medians of a few rounds. */
export interface WriteMeasured {
  readonly objects: number;
  /** In total: reading, encoding, naming, summaries and the database's part. */
  readonly total: number;
  /** The database's part: its threads, and the calls that give it a batch. */
  readonly database: number;
  /** The summaries' part: short ids, cells, estimate, journal. */
  readonly summaries: number;
}

const objects = 100_000;
/** Objects put before the measurement, so that the sketch has its full length. */
const before = 70_000;
const batch = 1000;
const rounds = 3;

/** CPU seconds of this process's main thread, and of all its other threads. */
function threads(): { readonly main: number; readonly others: number } {
  let [main, others] = [0, 0];
  for (const task of readdirSync('/proc/self/task')) {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${task}/schedstat`, 'utf8').split(' ', 1)[0]);
    if (Number(task) === process.pid) main += nanoseconds;
    else others += nanoseconds;
  }
  return { main: main / 1e9, others: others / 1e9 };
}

/** A database that reports the main thread's CPU seconds of each `batch` call. */
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

/** Put the objects into a store: CPU seconds in total, and of the database's part. */
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

/** The work of the summaries alone: names, cells, estimate, and journal rows as large as a store's. */
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

/**
 * Put objects into stores, and measure the work of their summaries separately: a difference of two long runs would be
 * noise.
 */
export async function probeAwarenessWrite([folder = '']: readonly string[]): Promise<WriteMeasured> {
  const costs: Awaited<ReturnType<typeof put>>[] = [];
  const sums: number[] = [];
  for (let round = 0; round < rounds; round++) {
    costs.push(await put(join(folder, `store-${round}`)));
    sums.push(await sumUp(join(folder, `sums-${round}`)));
  }
  const summaries = median(sums);
  // The journal's rows count to the database's part here; they are too few to matter.
  return {
    ...{ objects, summaries, total: median(costs.map(({ total }) => total)) },
    database: median(costs.map(({ database }) => database)),
  };
}
