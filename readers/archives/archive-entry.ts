import { CorruptData } from '../compression/index.ts';

/** An entry of an archive, before any check of its name and size. */
export interface ArchiveEntry {
  /** As the archive spells it; not yet safe. */
  readonly name: string;
  /** Unpacked size in bytes, as the archive claims; may be wrong, or unknown. */
  readonly size?: number;
  /** Seconds since 1970. */
  readonly modified?: number;
  /** Why it cannot be a member: a link, a device. */
  readonly fault?: string;
  /** Whether it is a folder, which is counted and skipped. */
  readonly folder?: boolean;
  /** Why it could not be read, when its format is whole but of a kind that is not read here. */
  readonly unread?: string;
  /**
   * Its bytes, at most `max` of them. Call it once, before the next entry is requested; an entry that is not
   * read is skipped.
   * @throws CorruptData, or TooLarge when there are more
   */
  read(max: number): Promise<Uint8Array>;
}

/** An entry has more bytes than allowed. */
export class TooLarge extends Error {
  readonly max: number;

  constructor(max: number) {
    super(`it has more than ${max} bytes`);
    this.name = 'TooLarge';
    this.max = max;
  }
}

/** The pieces of a stream as one array of at most `max` bytes. @throws TooLarge */
export async function gathered(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > max) throw new TooLarge(max);
    parts.push(chunk);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, length);
}

/** Bytes that lie in memory already. */
export function heldBytes(bytes: Uint8Array): (max: number) => Promise<Uint8Array> {
  return async (max) => {
    if (bytes.length > max) throw new TooLarge(max);
    return bytes;
  };
}

/** An entry whose bytes are incomplete or damaged; the other entries can be read. */
export function brokenEntry(name: string, reason: string): ArchiveEntry {
  return { name, read: () => Promise.reject(new CorruptData(reason)) };
}

/** A folder: it has no bytes of its own. */
export function folderEntry(name: string): ArchiveEntry {
  return { name, size: 0, folder: true, read: heldBytes(new Uint8Array(0)) };
}

/** Makes repeated names distinct by a number before their ending: `scan.pdf`, `scan-2.pdf`. */
export class DistinctNames {
  readonly #taken = new Set<string>();
  readonly #last = new Map<string, number>();

  of(name: string): string {
    let distinct = name;
    let number = this.#last.get(name) ?? 1;
    while (this.#taken.has(distinct)) distinct = numbered(name, ++number);
    this.#last.set(name, number);
    this.#taken.add(distinct);
    return distinct;
  }
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.');
  // A dot at the beginning of the last step does not begin an ending.
  const end = dot > name.lastIndexOf('/') + 1 ? dot : name.length;
  return `${name.slice(0, end)}-${number}${name.slice(end)}`;
}
