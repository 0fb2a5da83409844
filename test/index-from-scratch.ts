import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexChange, SearchEngine } from '../broker/index.ts';
import { parseQuery } from '../query/index.ts';
import { decodeObject, type Oid, type SummaryObject } from '../soif/index.ts';
import { type ObjectStore, openDatabase } from '../store/index.ts';
import { type EngineName, engineOver } from './topic-broker.ts';

const decoder = new TextDecoder();

/** Words of an object's text attributes. */
function wordsOf(object: SummaryObject): Set<string> {
  const words = new Set<string>();
  for (const { value } of object.attributes) {
    for (const [word] of decoder.decode(value).matchAll(/[\p{L}\p{N}]+/gu)) words.add(word.toLowerCase());
  }
  return words;
}

/**
 * Compare an index with one built from scratch from the store. Each word of each object must find the same
 * objects in both, and the results must have the same order and facets. Throws an AssertionError.
 */
export async function assertEqualsScratch(
  engine: SearchEngine,
  store: ObjectStore,
  name: EngineName = 'flexsearch',
): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'garner-scratch-index-'));
  await using database = await openDatabase(join(path, 'index'));
  try {
    await using scratch = await engineOver(name, database, store);
    await using snapshot = await store.snapshot();
    const changes: IndexChange[] = [];
    const words = new Set<string>();
    for await (const { oid } of snapshot.scan()) {
      const held = await snapshot.get(oid);
      assert.ok(held);
      const object = decodeObject(held.body);
      for (const word of wordsOf(object)) words.add(word);
      changes.push({ kind: 'put', oid, object, source: 'any' });
    }
    await scratch.apply(changes, Math.max(1, snapshot.state.lsn));
    assert.equal(engine.count, scratch.count, 'as many objects are indexed');
    assert.deepEqual(await oidsOf(engine), await oidsOf(scratch), 'which objects are indexed');
    assert.deepEqual(new Map(engine.languages), new Map(scratch.languages), 'their languages');
    for (const text of ['*', ...words]) {
      const { query } = parseQuery(text === '*' ? text : `"${text}"`);
      const [own, wanted] = await Promise.all([engine.matches({ query }), scratch.matches({ query })]);
      assert.deepEqual([...own].sort(), [...wanted].sort(), `hits of ${text}`);
    }
    assert.deepEqual(await arranged(engine), await arranged(scratch), 'order and facets');
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function oidsOf(engine: SearchEngine): Promise<readonly Oid[]> {
  const oids: Oid[] = [];
  for await (const oid of engine.oids?.() ?? []) oids.push(oid);
  return oids;
}

/** All objects in the order of their URLs, and their facets. */
async function arranged(engine: SearchEngine) {
  const { query } = parseQuery('*');
  const order = { by: 'url', reversed: false } as const;
  const { facets } = await engine.search({ query, limit: 1, offset: 0, facets: ['year'] });
  return { oids: [...(await engine.matches({ query, order }))], types: facets.type, more: facets.more };
}
