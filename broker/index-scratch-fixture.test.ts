import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseQuery } from '../query/index.ts';
import { decodeObject, type SummaryObject } from '../soif/index.ts';
import { type ObjectStore, openDatabase } from '../store/index.ts';
import { FlexsearchEngine } from './engines/index.ts';
import type { IndexChange, SearchEngine } from './search-engine.ts';

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
 * Compare an index with one that is made from scratch from the store: each word of each object, and each object, finds
 * the same in both, in the same order and with the same scores up to rounding. Throws an AssertionError.
 */
export async function assertEqualsScratch(engine: SearchEngine, store: ObjectStore): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'garner-scratch-index-'));
  await using database = await openDatabase(join(path, 'index'));
  try {
    await using scratch = await FlexsearchEngine.open({ database, objectOf: async () => undefined });
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
    for (const text of ['*', ...words]) {
      const { query } = parseQuery(text === '*' ? text : `"${text}"`);
      const [own, wanted] = await Promise.all([engine.matches({ query }), scratch.matches({ query })]);
      assert.deepEqual([...own].sort(), [...wanted].sort(), `what is found by ${text}`);
    }
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
