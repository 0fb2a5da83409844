import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SegmentedEngine } from '../../broker/index.ts';
import { parseQuery, relax, searchedValues } from '../../query/index.ts';
import { type Oid, oidOf, type ServerId, type SummaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';

/** An index over one level's objects, and its cost. */
export interface IndexedLevel {
  /** Every found object, best first, as positions in the given objects. */
  readonly ask: (query: string, any: boolean, limit: number) => Promise<readonly number[]>;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly indexBytes: number;
  readonly textBytes: number;
}

const server = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const batchBytes = 4 * 1024 * 1024;

/**
 * Index objects with the embedded engine in a temporary folder, and search them; index and folder are removed after
 * `use`.
 */
export async function withIndex<Result>(
  objects: readonly SummaryObject[],
  use: (level: IndexedLevel) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-levels-'));
  try {
    const oids = objects.map(({ url }) => oidOf(server, url));
    const places = new Map<Oid, number>(oids.map((oid, index) => [oid, index]));
    const objectOf = async (oid: Oid) => objects[places.get(oid) ?? -1];
    const before = process.cpuUsage();
    const started = performance.now();
    let textBytes = 0;
    {
      await using database = await openDatabase(folder);
      await using engine = await SegmentedEngine.open({ database, objectOf });
      let changes: { kind: 'put'; oid: Oid; object: SummaryObject; source: string }[] = [];
      let bytes = 0;
      for (const [index, object] of objects.entries()) {
        changes.push({ kind: 'put', oid: oids[index] as Oid, object, source: 'bench' });
        for (const { value } of searchedValues(object, undefined)) bytes += Buffer.byteLength(value);
        if (bytes < batchBytes && changes.length < 500 && index + 1 < objects.length) continue;
        await engine.apply(changes, index + 1);
        textBytes += bytes;
        [changes, bytes] = [[], 0];
      }
      await engine.settled();
    }
    const { user, system } = process.cpuUsage(before);
    const seconds = (performance.now() - started) / 1000;
    // Opening LevelDB again moves the last writes from its log to its compressed files.
    await (await openDatabase(folder))[Symbol.asyncDispose]();
    let indexBytes = 0;
    for (const file of await readdir(folder)) indexBytes += (await stat(join(folder, file))).size;
    await using database = await openDatabase(folder);
    await using engine = await SegmentedEngine.open({ database, objectOf });
    const ask = async (text: string, any: boolean, limit: number) => {
      const { query } = parseQuery(text);
      const wide = relax(query) ?? query;
      let answer = await engine.search({ query: any ? wide : query, limit, offset: 0 });
      if (answer.total === 0) answer = await engine.search({ query: wide, limit, offset: 0 });
      return answer.hits.map(({ oid }) => places.get(oid) as number);
    };
    return await use({ ask, seconds, cpuSeconds: (user + system) / 1e6, indexBytes, textBytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
