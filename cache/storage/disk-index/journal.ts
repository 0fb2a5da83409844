import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../store/index.ts';
import { JournalFile } from './journal-file.ts';
import { everySlot, type JournalHeader, recordBytes } from './journal-record.ts';
import { type Replayed, replayJournal } from './journal-replay.ts';
import { rowWords, type SlotTable } from './slot-table.ts';

/** Rows per slice between yields to the event loop. */
const slice = 2048;
/** How long records wait to be written together: only callers of `written` or `flush` wait for them. */
const togetherMs = 20;
/** The number of records that are written without further wait. */
const maxTogether = 64;
/** A smaller journal is not worth compacting. Bytes. */
const minBytes = 64 * 1024;

const pathOf = (folder: string, number: number) => join(folder, `journal-${number}`);

/** The numbers of the journals in a folder, the newest first; unfinished ones from a crash are removed. */
async function journalsIn(folder: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of await readdir(folder)) {
    if (/^journal-\d+\.new$/.test(name)) await rm(join(folder, name), { force: true });
    const number = /^journal-(\d{1,9})$/.exec(name)?.[1];
    if (number !== undefined) numbers.push(Number(number));
  }
  return numbers.sort((a, b) => b - a);
}

/**
 * The changes of the index's slots, one record after another; the last record of a slot is its state. When it has grown
 * to several times the size that the index needs, it is compacted into a new file while both get the changes.
 */
export class Journal {
  readonly #folder: string;
  readonly #table: SlotTable;
  readonly header: JournalHeader;
  #number: number;
  #file: JournalFile;
  /** The file that is being compacted into. */
  #next: JournalFile | undefined;
  #compaction: Promise<void> | undefined;
  #isScheduled = false;
  /** Records since the last write began. */
  #waiting = 0;
  /** A disk refused records: only a compacted journal is complete. */
  #isBroken = false;
  #isClosed = false;
  #beforeWriting: () => Promise<void> = async () => undefined;

  private constructor(
    folder: string,
    table: SlotTable,
    { header, number, file }: { header: JournalHeader; number: number; file: JournalFile },
  ) {
    this.#folder = folder;
    this.#table = table;
    this.header = header;
    this.#number = number;
    this.#file = file;
  }

  /** Open the journal of a folder and bring `table` to its state; if there is none, create one with these seeds. */
  static async open(
    folder: string,
    table: SlotTable,
    seeds: JournalHeader['seeds'],
  ): Promise<{ journal: Journal; damaged: number }> {
    const numbers = await journalsIn(folder);
    let found: Replayed | undefined;
    let number = (numbers[0] ?? 0) + 1;
    for (const at of numbers) {
      found = await replayJournal(pathOf(folder, at), table);
      if (found === undefined) continue;
      number = at;
      break;
    }
    for (const other of numbers) if (other !== number) await rm(pathOf(folder, other), { force: true });
    const path = pathOf(folder, number);
    const header = { seeds: found?.seeds ?? seeds };
    const file =
      found === undefined
        ? await JournalFile.create(path, header)
        : await JournalFile.continue(path, header, found.bytes);
    if (found === undefined) await syncFolder(folder).catch(() => undefined);
    const journal = new Journal(folder, table, { header, number, file });
    if (found === undefined) return { journal, damaged: 0 };
    // It was cut, or a later journal had replaced it: its entries may have been purged since.
    const isEarlier = found.bytes < found.synced || number !== numbers[0];
    if (isEarlier) journal.distrust();
    return { journal, damaged: found.damaged + (isEarlier ? 1 : 0) };
  }

  /** Awaited before records are written, by every file of the journal: see `JournalFile.beforeWriting`. */
  set beforeWriting(wait: () => Promise<void>) {
    this.#beforeWriting = wait;
    this.#file.beforeWriting = wait;
  }

  get bytes(): number {
    return this.#file.bytes + (this.#next?.bytes ?? 0);
  }

  /** The max bytes besides the present file: another one while it is compacted. */
  get spareBytes(): number {
    return (Math.ceil(this.#table.size * 1.25) + 1024) * recordBytes;
  }

  /** Mark every entry for validation, because purges may be lost. Call it before the first compaction. */
  distrust(): void {
    for (let slot = 0; slot < this.#table.end; slot++)
      if (this.#table.isUsed(slot)) this.#table.invalidate(slot);
    this.#file.append(everySlot, new Uint32Array(rowWords));
  }

  /** Record the present state of a slot. */
  append(slot: number): void {
    const row = this.#table.row(slot);
    if (!this.#isBroken) this.#file.append(slot, row);
    this.#next?.append(slot, row);
    if (this.#isClosed) return;
    if (++this.#waiting === maxTogether) setImmediate(() => void this.#writeSoon());
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => void this.#writeSoon(), togetherMs).unref();
  }

  /**
   * Resolves when every earlier record outlives the process, if the disk accepts it. Never rejects: refused
   * records are written by a compaction at the next `flush`, which reports its failure.
   */
  async written(): Promise<void> {
    await this.#write();
  }

  /** Resolves when every earlier record is on disk. Rejects with the system's error. */
  async flush(): Promise<void> {
    for (;;) {
      if (this.#isBroken) return this.compact();
      const file = this.#file;
      try {
        await file.sync();
      } catch (error) {
        // A complete new file may have replaced this one meanwhile.
        if (file !== this.#file) continue;
        this.#isBroken = true;
        throw error;
      }
      if (file !== this.#file) continue;
      // It may replace the old one at any moment; when it fails, the old one stays.
      await this.#next?.sync().catch(() => undefined);
      return;
    }
  }

  /** Rewrite the journal, with one record for each used slot. */
  compact(): Promise<void> {
    this.#compaction ??= this.#compact().finally(() => {
      this.#compaction = undefined;
    });
    return this.#compaction;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#compaction?.catch(() => undefined);
    await this.#file.close();
  }

  async #writeSoon(): Promise<void> {
    this.#isScheduled = false;
    this.#waiting = 0;
    if (this.#isClosed) return;
    await this.#write();
    if (this.#file.bytes > minBytes + 3 * this.#table.size * recordBytes)
      await this.compact().catch(() => undefined);
  }

  async #write(): Promise<void> {
    if (this.#isBroken) return;
    const file = this.#file;
    try {
      await file.write();
    } catch {
      if (file === this.#file) this.#isBroken = true;
    }
    await this.#next?.write().catch(() => undefined);
  }

  async #compact(): Promise<void> {
    const number = this.#number + 1;
    const path = pathOf(this.#folder, number);
    let next: JournalFile | undefined;
    try {
      next = await JournalFile.create(`${path}.new`, this.header);
      next.beforeWriting = this.#beforeWriting;
      this.#next = next;
      for (let slot = 0; slot < this.#table.end; slot++) {
        if (this.#table.isUsed(slot)) next.append(slot, this.#table.row(slot));
        if (slot % slice === slice - 1) await next.write();
      }
      await next.sync();
      await rename(`${path}.new`, path);
    } catch (error) {
      this.#next = undefined;
      await next?.close();
      await rm(`${path}.new`, { force: true }).catch(() => undefined);
      throw error;
    }
    const old = this.#file;
    [this.#file, this.#number, this.#next, this.#isBroken] = [next, number, undefined, false];
    await old.close();
    // The new name is on disk before the old one is removed.
    await syncFolder(this.#folder).catch(() => undefined);
    await rm(old.path, { force: true }).catch(() => undefined);
    await next.sync();
  }
}
