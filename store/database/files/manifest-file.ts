import type { FileHandle } from 'node:fs/promises';
import { batchesIn } from './log-file.ts';

// The manifest of LevelDB (doc/impl.md): a log of edits, each of which adds tables to the database and removes others.

const tags = { comparator: 1, number: new Set([2, 3, 4, 9]), pointer: 5, deleted: 6, added: 7 } as const;

class EditReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A number in groups of seven bits, the lowest first. */
  number(): number {
    for (let [value, unit] = [0, 1]; ; unit *= 128) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
  }

  skipBytes(): void {
    const length = this.number();
    this.#at += length;
  }
}

function apply(edit: Buffer, live: Set<number>): void {
  const reader = new EditReader(edit);
  while (!reader.isAtEnd) {
    const tag = reader.number();
    if (tag === tags.comparator) reader.skipBytes();
    else if (tags.number.has(tag)) reader.number();
    else if (tag === tags.pointer || tag === tags.deleted || tag === tags.added) {
      reader.number();
      if (tag === tags.pointer) reader.skipBytes();
      else if (tag === tags.deleted) live.delete(reader.number());
      else {
        live.add(reader.number());
        reader.number();
        reader.skipBytes();
        reader.skipBytes();
      }
    } else throw new RangeError(`the tag ${tag} is unknown`);
  }
}

/** The numbers of the tables that a database consists of; undefined for a manifest that cannot be read to its end. */
export async function liveTables(manifest: FileHandle): Promise<ReadonlySet<number> | undefined> {
  const live = new Set<number>();
  try {
    for await (const edit of batchesIn(manifest)) {
      if (edit === undefined) return undefined;
      apply(edit, live);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return live;
}
