import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { languages, scanWords, termOf, termParts } from '../../../query/index.ts';
import { oidOf, type ServerId, summaryObject } from '../../../soif/index.ts';
import { openDatabase } from '../../../store/index.ts';
import type { IndexChange } from '../model/search-engine.ts';
import { SegmentedEngine } from '../segmented/segmented-engine.ts';
import { groupsOf, scanGroups } from './group-reader.ts';
import { blockText, GroupBlock, groupLines, groupOf, linesWith, type WordGroup } from './word-groups.ts';

const gatherer = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;

function wordsIn(text: string): string[] {
  const words: string[] = [];
  scanWords(text, (word) => {
    words.push(word);
    return false;
  });
  return words;
}

test('a block of groups returns its groups, and finds lines by pieces', () => {
  const words = fc
    .array(fc.string({ unit: 'grapheme', maxLength: 80 }), { maxLength: 20 })
    .map((texts) => [...new Set(texts.flatMap(wordsIn))]);
  fc.assert(
    fc.property(words, fc.constantFrom(...languages), fc.string({ maxLength: 3 }), (all, language, piece) => {
      const byTerm = new Map<string, string[]>();
      for (const word of all) {
        const term = termOf(word, language);
        byTerm.set(term, [...(byTerm.get(term) ?? []), word]);
      }
      const groups: WordGroup[] = Array.from(byTerm, ([term, own]) => ({ term, words: own }));
      const block = new GroupBlock(groups[0]?.term ?? '');
      for (const group of groups) block.add(group);
      const text = blockText(block.take());
      assert.deepEqual(groupLines(text).map(groupOf), groups);
      if (piece.length === 0 || /[\t\n]/.test(piece)) return;
      const holds = ({ term, words: own }: WordGroup) =>
        term.includes(piece) || own.some((word) => word.includes(piece));
      const found = new Set(linesWith(text, [piece]).map((line) => groupOf(line).term));
      assert.deepEqual(found, new Set(groups.filter(holds).map(({ term }) => term)));
    }),
  );
});

test('every word of every attribute is in the group of its term, after merges too; words that died are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-vocabulary-'));
  const database = await openDatabase(join(folder, 'index'));
  try {
    await using engine = await SegmentedEngine.open({ database, objectOf: async () => undefined });
    const put = (number: number, text: string): IndexChange => {
      const url = `http://example.org/${number}/only${number}`;
      const object = summaryObject(url, [
        ['Title', `installing ${text}`],
        ['Type', `kind${number}`],
        ['Full-Text', `Installed 2024 c++ ${'x'.repeat(60)} ${text} run running`],
      ]);
      return { kind: 'put', oid: oidOf(gatherer, url), source: 's', object };
    };
    const expected = async (): Promise<Map<string, Set<string>>> => {
      const found = new Map<string, Set<string>>();
      const note = ({ term, words }: WordGroup) => {
        for (const word of words) found.set(term, (found.get(term) ?? new Set()).add(word));
      };
      await scanGroups({ database, segments: engine.layout.segments }, undefined, note);
      return found;
    };
    const all = Array.from({ length: 120 }, (_, number) => put(number, `word${number}`));
    for (let at = 0; at < all.length; at += 20) await engine.apply(all.slice(at, at + 20), at + 20);
    await engine.settled();
    let found = await expected();
    for (const [term, words] of found)
      for (const word of words) assert.equal(termOf(word), term, `${word} is in the group of ${term}`);
    assert.deepEqual(found.get('instal'), new Set(['installed', 'installing']));
    assert.deepEqual(found.get('run'), new Set(['run', 'running']));
    for (const word of ['2024', 'c++', 'x'.repeat(60), 'only7', 'kind7', 'word39'])
      assert.ok(found.get(termParts(word)[1])?.has(word), word);
    const { segments } = engine.layout;
    const some: string[] = [];
    for await (const group of groupsOf({ database, segments }, ['run', 'absent', 'word3', 'zz']))
      if (!some.includes(group.term)) some.push(group.term);
    assert.deepEqual(some, ['run', 'word3']);
    await engine.apply(
      all.slice(0, 100).map(({ oid }) => ({ kind: 'remove', oid })),
      121,
    );
    await engine.settled();
    found = await expected();
    assert.ok(found.has('word119') && found.has('only119'));
    for (const word of ['word3', 'only3', 'kind3']) assert.equal(found.has(word), false, word);
  } finally {
    await database[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  }
});
