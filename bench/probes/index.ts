import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { searchedValues } from '../../query/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { openBrokerOf } from '../material/opened-broker.ts';

/** The cost of building an index. */
export interface IndexMeasured {
  /** Time until everything was searchable. */
  readonly seconds: number;
  /** CPU time until all merges had ended. */
  readonly cpuSeconds: number;
  readonly indexBytes: number;
  /** UTF-8 bytes of the values that the index holds. */
  readonly textBytes: number;
  readonly objects: number;
}

const cpuSeconds = (before: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

/** Delete the index of a Broker's data folder and let the Broker rebuild it. */
export async function probeIndex([data = '']: readonly string[]): Promise<IndexMeasured> {
  const index = join(data, 'index');
  await rm(index, { recursive: true });
  let measured: Omit<IndexMeasured, 'indexBytes'>;
  {
    await using opened = await openBrokerOf(data);
    const { broker, engine } = opened;
    const { store } = broker.folder;
    const before = process.cpuUsage();
    const started = performance.now();
    await broker.indexer.reached(store.lsn);
    const seconds = (performance.now() - started) / 1000;
    await engine.settled();
    const cpu = cpuSeconds(before);
    if (engine.count !== store.count) throw new Error(`indexed ${engine.count} of ${store.count}`);
    let textBytes = 0;
    await using snapshot = await store.snapshot();
    for await (const { oid } of snapshot.scan()) {
      const stored = await snapshot.get(oid);
      if (stored === undefined) continue;
      for (const { value } of searchedValues(decodeObject(stored.body), undefined))
        textBytes += Buffer.byteLength(value);
    }
    measured = { seconds, cpuSeconds: cpu, textBytes, objects: engine.count };
  }
  // Opening LevelDB again moves the last writes from its log to its compressed files.
  await (await openDatabase(index))[Symbol.asyncDispose]();
  let indexBytes = 0;
  for (const file of await readdir(index)) indexBytes += (await stat(join(index, file))).size;
  return { ...measured, indexBytes };
}
