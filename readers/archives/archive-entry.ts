import { CorruptData } from '../compression/index.ts';

/** What stands in an archive under a name, before anything is decided about it. */
export interface ArchiveEntry {
  /** As the archive spells it; not yet safe. */
  readonly name: string;
  /** Bytes when unpacked, as the archive says; may be a lie, or unknown. */
  readonly size?: number;
  /** Seconds since 1970. */
  readonly modified?: number;
  /** Why it is no member: a link, a device. */
  readonly fault?: string;
  /** Whether it is a folder: counted, and passed over. */
  readonly folder?: boolean;
  /** Why it could not be read, when its format is whole but of a kind that is not read here. */
  readonly unread?: string;
  /**
   * Its bytes, at most `most` of them. An entry that is not read is passed over. Call it before the next entry is
   * asked for, and once.
   * @throws CorruptData, or TooLarge when there are more
   */
  read(most: number): Promise<Uint8Array>;
}

/** Says that an entry has more bytes than may be held. */
export class TooLarge extends Error {
  readonly most: number;

  constructor(most: number) {
    super(`it has more than ${most} bytes`);
    this.name = 'TooLarge';
    this.most = most;
  }
}

/** The pieces of a stream as one array, when they are no more than `most` bytes. @throws TooLarge */
export async function gathered(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most) throw new TooLarge(most);
    parts.push(chunk);
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, length);
}

/** Bytes that lie in memory already. */
export function lying(bytes: Uint8Array): (most: number) => Promise<Uint8Array> {
  return async (most) => {
    if (bytes.length > most) throw new TooLarge(most);
    return bytes;
  };
}

/** An entry whose bytes are not all there, or are damaged: it alone is lost. */
export function brokenEntry(name: string, reason: string): ArchiveEntry {
  return { name, read: () => Promise.reject(new CorruptData(reason)) };
}

/** A folder: it has no bytes of its own. */
export function folderEntry(name: string): ArchiveEntry {
  return { name, size: 0, folder: true, read: lying(new Uint8Array(0)) };
}
