import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../../store/index.ts';
import { JournalFile } from './journal-file.ts';
import { encodeHeader, type JournalHeader, recordBytes } from './journal-record.ts';
import { type Replayed, replayJournal } from './journal-replay.ts';
import type { SlotTable } from './slot-table.ts';

/** Rows looked at before others have their turn. */
const slice = 2048;
/** Records wait so long for others to be written with: nothing waits for them but who asks for `written` or `flush`. */
const togetherMs = 20;
/** Records that wait for no more others. */
const maxTogether = 64;
/** A journal smaller than this is not worth writing anew. */
const minBytes = 64 * 1024;

const pathOf = (folder: string, number: number) => join(folder, `journal-${number}`);

/** The numbers of the journals in a folder, the newest first; what a crash left half made is removed. */
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
 * What became of each slot of the index, one record after the other; the last about a slot is how it is. When it has
 * grown to several times what the index needs, it is written anew beside the old one while both are told what changes.
 */
export class Journal {
  readonly #folder: string;
  readonly #table: SlotTable;
  readonly header: JournalHeader;
  #number: number;
  #file: JournalFile;
  /** The one that is being written anew. */
  #next: JournalFile | undefined;
  #compaction: Promise<void> | undefined;
  #isScheduled = false;
  /** Records since the last writing began. */
  #told = 0;
  /** Records were lost to a disk that refused them: only a journal written anew tells the truth. */
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

  /** Open the journal of a folder and bring `table` to the state it tells; a new one with these seeds if there is none. */
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
        ? await JournalFile.create(path, encodeHeader(header))
        : await JournalFile.continue(path, found.bytes);
    if (found === undefined) await syncFolder(folder).catch(() => undefined);
    return { journal: new Journal(folder, table, { header, number, file }), damaged: found?.damaged ?? 0 };
  }

  /** Waited for before records are written, by whichever file of the journal: see there. */
  set beforeWriting(wait: () => Promise<void>) {
    this.#beforeWriting = wait;
    this.#file.beforeWriting = wait;
  }

  get bytes(): number {
    return this.#file.bytes + (this.#next?.bytes ?? 0);
  }

  /** What it may grow to beside its present size: another one while it is written anew. */
  get spareBytes(): number {
    return (Math.ceil(this.#table.size * 1.25) + 1024) * recordBytes;
  }

  /** Tell how a slot is now. */
  append(slot: number): void {
    const row = this.#table.row(slot);
    if (!this.#isBroken) this.#file.append(slot, row);
    this.#next?.append(slot, row);
    if (this.#isClosed) return;
    if (++this.#told === maxTogether) setImmediate(() => void this.#writeSoon());
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => void this.#writeSoon(), togetherMs).unref();
  }

  /**
   * Everything told before outlives the process when this resolves, if the disk takes it. Never rejects: what a disk refuses
   * is written with a journal written anew, at the next `flush`, which tells whether that went well.
   */
  async written(): Promise<void> {
    await this.#write();
  }

  /** Everything told before is on disk when this resolves. Rejects with what the system said. */
  async flush(): Promise<void> {
    for (;;) {
      if (this.#isBroken) return this.compact();
      const file = this.#file;
      try {
        await file.sync();
      } catch (error) {
        // Another one that was complete may have taken its place meanwhile.
        if (file !== this.#file) continue;
        this.#isBroken = true;
        throw error;
      }
      if (file !== this.#file) continue;
      // It may take the old one's place at any moment; when it fails instead, the old one stays.
      await this.#next?.sync().catch(() => undefined);
      return;
    }
  }

  /** Write the journal anew, with one record for each slot in use. */
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
    this.#told = 0;
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
      next = await JournalFile.create(`${path}.new`, encodeHeader(this.header));
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
    // Its name is on disk before the old one's is taken away.
    await syncFolder(this.#folder).catch(() => undefined);
    await rm(old.path, { force: true }).catch(() => undefined);
    await next.sync();
  }
}
