import type { DocColumns } from '../documents/doc-columns.ts';
import type { ObjectList } from './object-lists.ts';
import type { VocabularyReader } from './vocabulary-reader.ts';
import { VocabularyKind } from './vocabulary-writer.ts';

// A short prefix in a large vocabulary is answered from its first words only.
const maxWordsLookedAt = 50_000;

/** A word of some segments with its terms there. */
interface Counted {
  objects: number;
  readonly terms: Set<string>;
}

/**
 * Words that begin with `prefix` (normalised), by the number of objects that may contain their terms. Dead
 * objects count until their segment is merged. A word without terms in living objects is left out.
 */
export async function completedWords(
  vocabulary: VocabularyReader,
  columns: DocColumns,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const counts = new Map<string, Counted>();
  let seen = 0;
  for await (const { word, term, list } of vocabulary.beginning(VocabularyKind.bare, prefix)) {
    const { blockBits, blocks } = list();
    const objects = blocks.length << blockBits;
    const known = counts.get(word);
    if (known === undefined) counts.set(word, { objects, terms: new Set([term]) });
    else {
      known.objects += objects;
      known.terms.add(term);
    }
    if (++seen >= maxWordsLookedAt) break;
  }
  const isAlive = ({ blockBits, blocks }: ObjectList) =>
    blocks.some((block) => columns.countAlive(block << blockBits, ((block + 1) << blockBits) - 1) > 0);
  const words: string[] = [];
  for (const [word, { terms }] of [...counts].sort(
    (a, b) => b[1].objects - a[1].objects || (a[0] < b[0] ? -1 : 1),
  )) {
    if (words.length >= limit) break;
    for (const term of terms) {
      const entries = await vocabulary.term(VocabularyKind.bare, term);
      const own = entries.filter(({ words: among }) => among.some((one) => one.word === word));
      if (!own.some(({ list }) => isAlive(list))) continue;
      words.push(word);
      break;
    }
  }
  return words;
}
