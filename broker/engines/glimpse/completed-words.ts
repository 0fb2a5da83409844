import type { DocColumns } from '../doc-columns.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';
import { VocabularyKind } from './vocabulary-writer.ts';

// A short prefix of a large vocabulary is answered from its first words only.
const mostWordsLookedAt = 50_000;

/** A word of some segments with its terms there. */
interface Counted {
  blocks: number;
  readonly terms: Set<string>;
}

/**
 * Words that begin with `prefix` (normalised), by the number of blocks that their terms stand in: blocks of dead objects
 * count until their segment is merged, and a word whose terms stand in no living one is left out.
 */
export async function completedWords(
  vocabulary: VocabularyReader,
  columns: DocColumns,
  blockBits: number,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const counts = new Map<string, Counted>();
  let seen = 0;
  for await (const { word, term, blocks } of vocabulary.beginning(VocabularyKind.bare, prefix)) {
    const known = counts.get(word);
    if (known === undefined) counts.set(word, { blocks, terms: new Set([term]) });
    else {
      known.blocks += blocks;
      known.terms.add(term);
    }
    if (++seen >= mostWordsLookedAt) break;
  }
  const objects = 1 << blockBits;
  const isAlive = (block: number) => columns.countAlive(block * objects, (block + 1) * objects - 1) > 0;
  const words: string[] = [];
  for (const [word, { terms }] of [...counts].sort(
    (a, b) => b[1].blocks - a[1].blocks || (a[0] < b[0] ? -1 : 1),
  )) {
    if (words.length >= limit) break;
    for (const term of terms) {
      const entries = await vocabulary.term(VocabularyKind.bare, term);
      const own = entries.filter(({ words: among }) => among.some((one) => one.word === word));
      if (!own.some(({ blocks }) => blocks.some(isAlive))) continue;
      words.push(word);
      break;
    }
  }
  return words;
}
