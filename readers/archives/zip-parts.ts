import type { Entry, ZipFile } from 'yauzl';
import { defineErrors, failure } from '../../kernel/index.ts';
import { gathered } from './archive-entry.ts';
import { localEntries } from './zip-local.ts';

/** Faults of a document that is a zip archive. */
const zipPartErrors = defineErrors({
  GATHERER_ZIP_DAMAGED: {
    message: ({ reason }: { readonly reason: string }) =>
      `the document's archive could not be read: ${reason}`,
    hint: () => 'open the document with its program and save it again',
    exit: 3,
    retry: 'never',
  },
  GATHERER_ZIP_TOO_LARGE: {
    message: ({ name }: { readonly name: string }) => `the part ${name} of the document unfolds to too much`,
    hint: () => 'look at the document: it may be made to unfold without end',
    exit: 3,
    retry: 'never',
  },
});

const maxEntries = 50_000;
const maxPartBytes = 64 * 1024 * 1024;
const maxTotalBytes = 512 * 1024 * 1024;

interface Part {
  /** Bytes when unpacked. */
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

function listedPart(zip: ZipFile, entry: Entry): Part {
  const read = async () => {
    const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
      zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error)));
    });
    return gathered(stream as AsyncIterable<Buffer>, maxPartBytes);
  };
  return { size: entry.uncompressedSize, read };
}

/** The entries of archives that are in use: a document's text and what is embedded in it are read one after the other. */
const directories = new WeakMap<Uint8Array, Directory>();

interface Directory {
  readonly entries: ReadonlyMap<string, Part>;
  /** Whether the list at the end is missing, and the parts were searched. */
  readonly isCut: boolean;
}

async function directoryOf(bytes: Uint8Array): Promise<Directory> {
  const { fromBuffer } = await import('yauzl');
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = new Map<string, Part>();
  try {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      fromBuffer(
        buffer,
        { lazyEntries: true, strictFileNames: false, validateEntrySizes: true },
        (error, opened) => (error === null ? resolve(opened) : reject(error)),
      );
    });
    await new Promise<void>((resolve, reject) => {
      zip.on('entry', (entry: Entry) => {
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, listedPart(zip, entry));
        if (entries.size >= maxEntries) resolve();
        else zip.readEntry();
      });
      zip.on('end', resolve);
      zip.on('error', reject);
      zip.readEntry();
    });
  } catch (error) {
    for (const { name, size, read } of localEntries(bytes, maxPartBytes)) {
      if (size === undefined || entries.size >= maxEntries) break;
      if (!entries.has(name)) entries.set(name, { size, read: () => read(maxPartBytes) });
    }
    if (entries.size === 0)
      throw failure(zipPartErrors.GATHERER_ZIP_DAMAGED, { reason: (error as Error).message }, error);
    return { entries, isCut: true };
  }
  return { entries, isCut: false };
}

/**
 * The parts of a document that is a zip archive, read by name on demand. Names are only names: nothing is
 * written to disk. Sizes, counts and the total of read bytes are bounded; throws GATHERER_ZIP_TOO_LARGE
 * beyond the bounds.
 */
export class ZipParts {
  readonly #entries: ReadonlyMap<string, Part>;
  #likeNames: ReadonlyMap<string, Part> | undefined;
  #read = 0;

  private constructor(entries: ReadonlyMap<string, Part>) {
    this.#entries = entries;
  }

  /**
   * Open an archive in memory; of one that is cut off, the parts before its end, with a sentence in `notes`. Throws
   * GATHERER_ZIP_DAMAGED when there are none.
   */
  static async open(bytes: Uint8Array, notes: string[] = []): Promise<ZipParts> {
    const directory = directories.get(bytes) ?? (await directoryOf(bytes));
    directories.set(bytes, directory);
    if (directory.isCut) notes.push('The file is truncated or damaged; the parts before were read.');
    return new ZipParts(directory.entries);
  }

  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#part(name) !== undefined;
  }

  /** The size of a part as the archive claims it. */
  size(name: string): number {
    return this.#part(name)?.size ?? 0;
  }

  /** A part; its name may differ in case (ISO/IEC 29500-2 section 6.2.2.3) or have backslashes, as some programs write. */
  #part(name: string): Part | undefined {
    const exact = this.#entries.get(name);
    if (exact !== undefined) return exact;
    this.#likeNames ??= new Map([...this.#entries].map(([written, part]) => [likeName(written), part]));
    return this.#likeNames.get(likeName(name));
  }

  /** A part unpacked, or undefined when there is none of that name. */
  async read(name: string): Promise<Buffer | undefined> {
    const entry = this.#part(name);
    if (entry === undefined) return undefined;
    this.#read += entry.size;
    if (entry.size > maxPartBytes || this.#read > maxTotalBytes)
      throw failure(zipPartErrors.GATHERER_ZIP_TOO_LARGE, { name });
    const part = await entry.read();
    return Buffer.from(part.buffer, part.byteOffset, part.length);
  }

  /** A part unpacked, or undefined, with a note when it is damaged. */
  async readable(name: string, notes: string[]): Promise<Buffer | undefined> {
    try {
      return await this.read(name);
    } catch {
      notes.push(`The part ${name} could not be read.`);
      return undefined;
    }
  }
}

const likeName = (name: string) => name.replaceAll('\\', '/').toLowerCase();
