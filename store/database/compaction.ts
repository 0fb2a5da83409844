import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes written to a database of no size before it is compacted. */
const firstBytes = 2 * 1024 * 1024;

/** Beyond the first bytes, a database is compacted after writing as many times its compacted size. */
const growth = 2;

/** LevelDB itself compacts larger databases in time. */
const maxBytes = 64 * 1024 * 1024;

/** Bytes of the files of a folder. */
export async function bytesOn(folder: string): Promise<number> {
  let bytes = 0;
  // LevelDB may delete a file meanwhile.
  for (const name of await readdir(folder).catch(() => []))
    bytes += (await stat(join(folder, name)).catch(() => undefined))?.size ?? 0;
  return bytes;
}

/**
 * Compacts a small database after much writing. LevelDB alone lets the log and the replaced values of a store of 1 MB
 * grow to 40 MB, because it compacts by the size of its levels.
 */
export class SmallCompaction {
  readonly #folder: string;
  readonly #compact: () => Promise<void>;
  #written = 0;
  #dueAt = firstBytes;
  #running: Promise<void> | undefined;

  constructor(folder: string, compact: () => Promise<void>) {
    this.#folder = folder;
    this.#compact = compact;
  }

  /** Note written bytes; a compaction that is due then starts. */
  wrote(bytes: number): void {
    this.#written += bytes;
    if (this.#written >= this.#dueAt) this.#running ??= this.#run();
  }

  /** Resolve when no compaction is running or due. */
  async ended(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    this.#written = 0;
    let size = await bytesOn(this.#folder);
    if (size <= maxBytes) {
      // The next write reports what is wrong with the disk.
      await this.#compact().catch(() => undefined);
      size = await bytesOn(this.#folder);
    }
    // Without what was written meanwhile, which is not compacted yet.
    this.#dueAt = firstBytes + growth * Math.max(0, size - this.#written);
    this.#running = undefined;
    // What was written meanwhile may make the next one due.
    this.wrote(0);
  }
}
