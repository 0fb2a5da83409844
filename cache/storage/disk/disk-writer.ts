import { failure } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';
import type { ContentPlace, MetaPlace } from '../disk-index/disk-index.ts';
import type { StoreFile } from '../files/store-files.ts';
import { checkBytes, checkedPiece, pieceBytes, pieceCheck, storedBytes } from '../model/content-blocks.ts';
import type { Entry, EntryWriter } from '../model/entry.ts';
import { fitsPlan, type StoredEntry, type TaggedPlan } from '../model/stored-entry.ts';
import { WrittenChunks } from '../model/written-chunks.ts';
import type { DiskState } from './disk-state.ts';
import { encodeMeta } from './meta-record.ts';

/** Max bytes of content in memory, of all writers together. Beyond it, even small contents get own files. */
const maxBuffered = 32 * 2 ** 20;
/** The number of pieces written with one call. */
const groupPieces = 16;

/** Adds an entry to the index, after the log has taken its record. Undefined when it was purged meanwhile. */
export type Keep = (row: {
  readonly plan: TaggedPlan;
  readonly serial: number;
  readonly mark: number;
  readonly meta: MetaPlace;
  readonly content: ContentPlace;
  /** The content when it is still in memory. */
  readonly whole: (() => Uint8Array) | undefined;
}) => Promise<StoredEntry | undefined>;

/** Writes one response. A small one waits in memory and goes into a segment. Others get their own files. */
export class DiskWriter implements EntryWriter {
  readonly #state: DiskState;
  readonly #plan: TaggedPlan;
  readonly #keep: Keep;
  readonly #onEnd: () => void;
  readonly #chunks = new WrittenChunks();
  readonly #serial: number;
  readonly #mark: number;
  readonly #largest: number;
  #ownFile: StoreFile | undefined;
  /** Bytes of content written to the entry's own file. */
  #spilled = 0;
  #status: 'open' | 'ending' | 'aborted' = 'open';
  #work: Promise<boolean> = Promise.resolve(true);
  #committed: Promise<Entry | undefined> | undefined;
  #endLease: (() => void) | undefined;

  constructor(
    state: DiskState,
    plan: TaggedPlan,
    { keep, onEnd, largest }: { keep: Keep; onEnd: () => void; largest: number },
  ) {
    this.#state = state;
    this.#plan = plan;
    this.#keep = keep;
    this.#onEnd = onEnd;
    this.#largest = largest;
    this.#serial = state.nextSerial();
    this.#mark = state.marks.latest;
  }

  get written(): number {
    return this.#chunks.bytes;
  }

  append(chunk: Uint8Array): boolean | Promise<boolean> {
    if (this.#status !== 'open') return false;
    if (this.written + chunk.length > this.#largest) {
      this.#state.refused++;
      this.abort();
      return false;
    }
    this.#chunks.append(chunk);
    this.#state.buffered += chunk.length;
    const isLarge = this.written > this.#state.largestInSegment || this.#state.buffered > maxBuffered;
    if (this.#ownFile === undefined && !isLarge) return true;
    this.#ownFile ??= this.#state.files.create('content');
    if (this.written - this.#spilled < pieceBytes) return true;
    return this.#spill(false);
  }

  async readBack(offset: number, max: number): Promise<Uint8Array> {
    if (this.#status === 'aborted') throw failure(cacheErrors.CACHE_GONE, { key: this.#plan.key });
    const file = this.#ownFile;
    if (offset >= this.#chunks.first || file === undefined) return this.#chunks.readBack(offset, max);
    // A joined reader gets the stored bytes. As for every other reader, a piece is checked as a whole.
    const index = Math.floor(offset / pieceBytes);
    const length = Math.min(pieceBytes, this.#spilled - index * pieceBytes) + checkBytes;
    const at = index * (pieceBytes + checkBytes);
    const stored = await this.#state.files.read(file, at, length).catch((error: unknown) => {
      throw failure(cacheErrors.CACHE_GONE, { key: this.#plan.key }, error);
    });
    const piece = stored.length === length ? checkedPiece(stored, this.#serial, index) : undefined;
    if (piece === undefined) throw failure(cacheErrors.CACHE_DAMAGED, { key: this.#plan.key });
    return piece.subarray(offset % pieceBytes, (offset % pieceBytes) + max);
  }

  commit(): Promise<Entry | undefined> {
    this.#committed ??= this.#commit();
    return this.#committed;
  }

  abort(): void {
    this.#endLease?.();
    if (this.#status === 'open') this.#giveUp();
  }

  /** Drop the content in memory, and the file that holds the rest. */
  #giveUp(): void {
    this.#status = 'aborted';
    this.#dropBuffer(this.written);
    this.#onEnd();
    const file = this.#ownFile;
    // Remove the file after the last write, because a later write would create it again.
    if (file !== undefined) void this.#work.finally(() => this.#state.files.doom(file));
  }

  #dropBuffer(end: number): void {
    const { first } = this.#chunks;
    this.#chunks.dropBefore(end);
    this.#state.buffered -= this.#chunks.first - first;
  }

  #isAborted(): boolean {
    return this.#status === 'aborted';
  }

  async #commit(): Promise<Entry | undefined> {
    if (this.#status !== 'open') return undefined;
    if (!fitsPlan(this.#plan, this.written)) {
      this.#giveUp();
      return undefined;
    }
    this.#status = 'ending';
    try {
      const file = this.#ownFile;
      const isWritten = file === undefined || (await this.#spill(true));
      const entry = isWritten ? await this.#place(file) : undefined;
      if (entry === undefined) {
        this.#giveUp();
        return undefined;
      }
      this.#state.buffered -= this.written - this.#chunks.first;
      this.#onEnd();
      // Joined readers continue to read this file, even after the entry has left the index.
      if (file !== undefined) this.#endLease = this.#state.leases.give(this, file);
      return entry;
    } catch (error) {
      this.#state.trouble(error);
      this.#state.refused++;
      this.#giveUp();
      return undefined;
    }
  }

  /** Write the record that completes the entry into a segment, and add it to the index. */
  async #place(ownFile: StoreFile | undefined): Promise<Entry | undefined> {
    const { log, room } = this.#state;
    const meta = encodeMeta(this.#serial, this.#plan);
    const length = this.written;
    const inSegment = ownFile === undefined ? storedBytes(length) : 0;
    const bytes = meta.length + inSegment;
    if (meta.length > this.#state.largestMetaBytes || !(await room.make(bytes))) {
      this.#state.refused++;
      return undefined;
    }
    const buffers = [meta, ...(ownFile === undefined ? this.#pieces(0, length) : [])];
    const later = log.appendLater(buffers, bytes);
    const placing = later ?? log.append(buffers, bytes);
    room.use(bytes);
    const { file, offset } = later ?? (await placing);
    try {
      const content =
        ownFile === undefined
          ? { file: file.number, offset: offset + meta.length, length, ownFile: false }
          : { file: ownFile.number, offset: 0, length, ownFile: true };
      const entry = await this.#keep({
        plan: this.#plan,
        serial: this.#serial,
        mark: this.#mark,
        content,
        meta: { file: file.number, offset, bytes: meta.length },
        whole: ownFile === undefined ? () => this.#chunks.join() : undefined,
      });
      if (entry === undefined || offset < file.lostFrom) return entry;
      this.#state.drop(entry.slot);
      return undefined;
    } finally {
      file.holds--;
    }
  }

  /** The stored bytes of the content from `from`, the start of a piece, up to but not including `end`. */
  #pieces(from: number, end: number): Uint8Array[] {
    const stored: Uint8Array[] = [];
    for (let at = from; at < end; at += pieceBytes) {
      const parts = this.#chunks.slices(at, Math.min(at + pieceBytes, end));
      stored.push(...parts, pieceCheck(parts, this.#serial, at / pieceBytes));
    }
    return stored;
  }

  /** Write complete pieces into its own file; with `all`, the last one too. Resolves to false on failure. */
  #spill(all: boolean): Promise<boolean> {
    this.#work = this.#work.then(async (ok) => {
      if (!ok) return false;
      const file = this.#ownFile as StoreFile;
      const end = () => (all ? this.written : this.written - (this.written % pieceBytes));
      while (this.#spilled < end()) {
        if (this.#isAborted()) return false;
        const to = Math.min(this.#spilled + groupPieces * pieceBytes, end());
        const bytes = storedBytes(to - this.#spilled);
        try {
          if (!(await this.#state.room.make(bytes))) {
            this.#state.refused++;
            if (this.#status === 'open') this.#giveUp();
            return false;
          }
          const offset = file.bytes;
          this.#state.files.place(file, bytes);
          this.#state.room.use(bytes);
          await this.#state.files.write(file, offset, this.#pieces(this.#spilled, to));
        } catch (error) {
          this.#state.trouble(error);
          this.#state.refused++;
          if (this.#status === 'open') this.#giveUp();
          return false;
        }
        this.#spilled = to;
        if (this.#isAborted()) return false;
        this.#dropBuffer(to);
      }
      return true;
    });
    return this.#work;
  }
}
