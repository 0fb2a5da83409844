import type { Pacing } from '../../../kernel/index.ts';
import { groupKey, wordKey } from '../index-database/index-keys.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import type { TermNumbers } from './term-numbers.ts';
import { encodeWords, sortedByUtf8, type WordCount, wordsPerBlock } from './word-blocks.ts';
import { GroupBlock } from './word-groups.ts';

// The same work as sorting this many words.
const fullBlockWork = 8 * 1024;

/** The rows of a segment for its words and their terms; `sorted`: the terms in order. */
export async function vocabularyRows(
  segment: number,
  terms: TermNumbers,
  sorted: Int32Array,
  pacing: Pacing,
): Promise<PostingWrite[]> {
  return [...(await wordRows(segment, terms, pacing)), ...(await groupRows(segment, terms, sorted, pacing))];
}

async function wordRows(segment: number, terms: TermNumbers, pacing: Pacing): Promise<PostingWrite[]> {
  const rows: PostingWrite[] = [];
  const counts = terms.counted();
  let block: WordCount[] = [];
  const endBlock = () => {
    const [first] = block;
    if (first !== undefined)
      rows.push({ type: 'put', key: wordKey(segment, first[0]), value: encodeWords(block) });
    block = [];
  };
  for await (const words of sortedByUtf8([...counts.keys()], pacing))
    for (const word of words) {
      block.push([word, counts.get(word) as number]);
      if (block.length === wordsPerBlock) endBlock();
    }
  endBlock();
  return rows;
}

async function groupRows(
  segment: number,
  terms: TermNumbers,
  sorted: Int32Array,
  pacing: Pacing,
): Promise<PostingWrite[]> {
  const rows: PostingWrite[] = [];
  const groups = terms.groups();
  let block: GroupBlock | undefined;
  const endBlock = () => {
    if (block !== undefined)
      rows.push({ type: 'put', key: groupKey(segment, block.first), value: block.take() });
    block = undefined;
  };
  for (const number of sorted) {
    const words = groups[number];
    if (words === undefined) continue;
    const term = terms.name(number);
    block ??= new GroupBlock(term);
    block.add({ term, words });
    if (!block.full) continue;
    endBlock();
    await pacing.pause(fullBlockWork);
  }
  endBlock();
  return rows;
}
