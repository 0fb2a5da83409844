import { groupKey, groupsRange } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { compareUtf8, inUtf8Order } from './word-blocks.ts';
import { blockText, groupLines, groupOf, linesWith, type WordGroup } from './word-groups.ts';

export interface GroupSource {
  readonly database: PostingDatabase;
  readonly segments: readonly Segment[];
}

/** The groups of these terms, segment by segment. Terms that a segment does not have are left out. */
export async function* groupsOf(
  { database, segments }: GroupSource,
  terms: Iterable<string>,
): AsyncGenerator<WordGroup, undefined> {
  const wanted = inUtf8Order([...terms]);
  for (const { id } of segments) {
    let [lines, last] = [new Map<string, string>(), ''];
    let known: Uint8Array | undefined;
    for (const term of wanted) {
      // Within the known block nothing must be read, whether it has the term or not.
      if (known === undefined || compareUtf8(term, last) > 0) {
        const block = await blockWith(database, id, term);
        if (block === undefined) continue;
        if (known === undefined || Buffer.compare(known, block.key) !== 0) {
          known = block.key;
          const all = groupLines(block.text);
          lines = new Map(all.map((line) => [lineKey(line), line]));
          last = lineKey(all.at(-1) ?? '');
        }
      }
      const line = lines.get(term);
      if (line !== undefined) yield groupOf(line);
    }
  }
}

/** The beginning of a line: its term. */
function lineKey(line: string): string {
  const end = line.indexOf('\t');
  return end < 0 ? line : line.slice(0, end);
}

/** The block of a segment that would contain a term. */
async function blockWith(database: PostingDatabase, segment: number, term: string) {
  const { gte } = groupsRange(segment);
  // The smallest key after the term's own.
  const lt = Buffer.concat([groupKey(segment, term), Uint8Array.of(0)]);
  for await (const [key, value] of database.entries({ gte, lt, reverse: true, limit: 1 }))
    return { key: Uint8Array.from(key), text: blockText(value) };
  return undefined;
}

/**
 * Visit the groups whose line contains at least one of these texts, or every group, one block in each turn of
 * the event loop. A visited group may contain them in its term or in any of its words.
 */
export async function scanGroups(
  { database, segments }: GroupSource,
  pieces: readonly string[] | undefined,
  visit: (group: WordGroup) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (const { id } of segments)
    for await (const [, value] of database.entries(groupsRange(id))) {
      signal?.throwIfAborted();
      const text = blockText(value);
      for (const line of pieces === undefined ? groupLines(text) : linesWith(text, pieces))
        visit(groupOf(line));
    }
}
