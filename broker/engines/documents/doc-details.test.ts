import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { detailKey } from '../index-database/index-keys.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';
import { DetailColumn } from './doc-details.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const firstChunk = Buffer.from(detailKey(DetailColumn.modified, 0));

function page(year: number): IndexChange {
  const url = `http://example.org/${year}`;
  const object = summaryObject(url, [
    ['Title', 'word'],
    ['Last-Modification-Time', Date.UTC(year, 5) / 1000],
  ]);
  return { kind: 'put', oid: oidOf(gatherer, url), source: 's', object };
}

test('data read by a search before a change does not overwrite the change later', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-details-'));
  try {
    await using real = await openDatabase(folder);
    const objectOf = async () => undefined;
    const years = async (engine: SegmentedEngine) => {
      const request = {
        query: { kind: 'word', word: 'word' },
        limit: 10,
        offset: 0,
        facets: ['year'],
      } as const;
      const [year] = (await engine.search(request)).facets.more ?? [];
      return year?.values.map(({ value }) => value);
    };
    {
      await using engine = await SegmentedEngine.open({ database: real, objectOf });
      await engine.apply([page(2020)], 1);
    }
    // The first reader of the chunk is held back until the change is there.
    let isHeld: () => void = () => {};
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      isHeld = resolve;
    });
    let gate: Promise<void> | undefined = new Promise((resolve) => {
      release = resolve;
    });
    const database = new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (name !== 'getMany') return value.bind(target);
        return async (keys: readonly Uint8Array[]) => {
          const values = await target.getMany(keys);
          const waiting = gate;
          if (waiting !== undefined && keys.some((key) => firstChunk.equals(key))) {
            gate = undefined;
            isHeld();
            await waiting;
          }
          return values;
        };
      },
    });
    {
      await using engine = await SegmentedEngine.open({ database, objectOf });
      const searching = years(engine);
      await held;
      await engine.apply([page(2021)], 2);
      release();
      await searching;
      await engine.apply([page(2022)], 3);
    }
    await using engine = await SegmentedEngine.open({ database: real, objectOf });
    assert.deepEqual(await years(engine), ['2022', '2021', '2020']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
