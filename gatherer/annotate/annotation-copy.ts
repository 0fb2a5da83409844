import { type Database, type DataFolder, databasesIn, type Write } from '../../store/index.ts';

// The second copy of the annotations, in a database of its own: nothing can make again what people wrote.

const mainName = 'annotations';
const copyName = 'annotations-copy';

/** Of `annotationStore`: rows of annotations, the mark of one that is to be merged again, and the count. */
const rows = { gt: Buffer.from('a'), lt: Buffer.from('b') };
const pendingOf = (key: Uint8Array) => Buffer.concat([Buffer.from('p'), key.subarray(1)]);
const countKey = Buffer.from('n');

/** A copy without it was not filled to its end. */
const completeKey = Buffer.from('c');

const batchRows = 500;

const timeOf = (value: Uint8Array): number => {
  try {
    return Number((JSON.parse(Buffer.from(value).toString()) as { readonly at?: unknown }).at) || 0;
  } catch {
    return 0;
  }
};

/** Write in batches of bounded size. */
async function writeAll(database: Database, writes: AsyncIterable<Write>): Promise<void> {
  let batch: Write[] = [];
  for await (const write of writes) {
    if (batch.push(write) < batchRows) continue;
    await database.batch(batch);
    batch = [];
  }
  await database.batch(batch, { sync: true });
}

async function* missingIn(target: Database, from: Database): AsyncIterable<Write> {
  for await (const [key, value] of from.entries(rows)) {
    const there = await target.get(key);
    if (there !== undefined && timeOf(there) >= timeOf(value)) continue;
    yield { type: 'put', key, value };
    yield { type: 'put', key: pendingOf(key), value: new Uint8Array() };
  }
}

async function* absentFrom(copy: Database, main: Database): AsyncIterable<Write> {
  for await (const key of main.keys(rows))
    if ((await copy.get(key)) === undefined) yield { type: 'del', key };
}

async function* rowsOf(main: Database): AsyncIterable<Write> {
  for await (const [key, value] of main.entries(rows)) yield { type: 'put', key, value };
}

async function countRows(main: Database): Promise<void> {
  let count = 0;
  for await (const _ of main.keys(rows)) count++;
  await main.batch([{ type: 'put', key: countKey, value: Buffer.from(JSON.stringify(count)) }], {
    sync: true,
  });
}

/** The database of the annotations of a data folder, and what writes their second copy, which is made with the first one. */
interface AnnotationDatabases {
  readonly database: Database;
  readonly copy: (writes: readonly Write[], options: { readonly sync: boolean }) => Promise<void>;
}

/**
 * Open the annotations of a Gatherer. Where damage has cost rows, they come back from the second copy, and deleted ones
 * that damage brought back go; a damaged copy is written again.
 */
export async function openAnnotations(folder: DataFolder): Promise<AnnotationDatabases> {
  const database = await folder.database(mainName);
  const hasCopy = (await databasesIn(folder.path)).includes(copyName);
  const isEmpty = (await database.get(countKey)) === undefined;
  let opened: Promise<Database> | undefined;
  const copy = () => {
    opened ??= folder.database(copyName);
    return opened;
  };
  if (hasCopy || !isEmpty) {
    const second = await copy();
    const isMainLost = folder.isMended(mainName);
    const isComplete = (await second.get(completeKey)) !== undefined && !folder.isMended(copyName);
    if (isMainLost) {
      await writeAll(database, missingIn(database, second));
      if (isComplete) await writeAll(database, absentFrom(second, database));
      await countRows(database);
    }
    if (!isComplete) {
      await writeAll(second, rowsOf(database));
      await second.batch([{ type: 'put', key: completeKey, value: new Uint8Array() }], { sync: true });
    }
  }
  return {
    database,
    copy: async (writes, options) => {
      const own = writes.filter(({ key }) => key[0] === rows.gt[0]);
      const complete: Write[] =
        opened === undefined ? [{ type: 'put', key: completeKey, value: new Uint8Array() }] : [];
      if (own.length + complete.length > 0 || options.sync)
        await (await copy()).batch([...own, ...complete], options);
    },
  };
}
