import type { DatabaseReader } from '../database/index.ts';
import { keys, setOfKey } from '../rows/index.ts';

const highestSet = 0xffff_ffff;

/** Ranges of the members and paths of sets that belong to no partition and no filter; each set is checked once. */
export async function* strayRows(
  reader: DatabaseReader,
  partitions: ReadonlySet<number>,
): AsyncIterable<{
  readonly name: string;
  readonly set: number;
  readonly range: ReturnType<typeof keys.members>;
}> {
  const kinds = [
    { name: 'members', from: keys.membersFromSet, all: keys.members },
    { name: 'paths', from: keys.pathsFromSet, all: keys.paths },
  ] as const;
  for (const { name, from, all } of kinds)
    for (let set = 0; ; set++) {
      let found: number | undefined;
      for await (const key of reader.keys({ ...from(set), limit: 1 })) found = setOfKey(key);
      if (found === undefined) break;
      set = found;
      const isKnown = partitions.has(set) || (await reader.get(keys.filtered(set))) !== undefined;
      if (!isKnown) yield { name: `${name} of set ${set}`, set, range: all(set) };
      if (set === highestSet) break;
    }
}
