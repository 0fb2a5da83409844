import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { inSlices, yieldToEventLoop } from '../../../kernel/index.ts';
import type { EvictionPolicy } from '../../eviction/index.ts';
import { writeAll } from '../files/write-all.ts';
import type { DiskIndex } from './disk-index.ts';
import type { JournalHeader } from './journal-record.ts';
import { word } from './slot-table.ts';

const magic = 'GARNER cache eviction 1\n';
/** Magic, the policy's name, and the seeds of the journal whose slots it refers to. */
const headerBytes = 64;
/** An entry's state in the policy, the low half of its serial, and its hits. */
const recordBytes = 12;
const checkBytes = 4;
/** Records per slice between yields to the event loop. */
const slice = 4096;

/** Entries used during the write may be recorded twice; a larger file is neither written nor read. */
const maxRecords = (entries: number) => Math.ceil(entries * 1.25) + 64;

export interface Evicting {
  readonly policy: EvictionPolicy;
  readonly index: DiskIndex;
  readonly header: JournalHeader;
}

function headerOf({ policy, header }: Evicting): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.write(policy.name, 32, 16, 'latin1');
  bytes.writeUInt32LE(header.seeds[0], 48);
  bytes.writeUInt32LE(header.seeds[1], 52);
  return bytes;
}

/**
 * The order of recent use, in a file beside the journal, so that evictions after a restart are the same as without it.
 * It may be older than the index, or missing: only the order of eviction and the counts of hits depend on it.
 */
export class EvictionSnapshot {
  readonly #path: string;
  bytes = 0;
  /** Entries and touches when it was last written. */
  #written = -1;

  constructor(folder: string) {
    this.#path = join(folder, 'eviction');
  }

  /** The max bytes besides the present file: another one while it is rewritten. */
  spareBytes(entries: number): number {
    return headerBytes + checkBytes + maxRecords(entries) * recordBytes;
  }

  /** Rewrite it unless `changes` is unchanged. Rejects with the system's error. */
  async write(evicting: Evicting, changes: number, signal?: AbortSignal): Promise<void> {
    if (changes === this.#written) return;
    const path = `${this.#path}.new`;
    try {
      const file = await open(path, 'w', 0o600);
      let at = 0;
      let sum = 0;
      const write = async (buffer: Buffer) => {
        sum = crc32(buffer, sum);
        await writeAll(file.fd, [buffer], at);
        at += buffer.length;
      };
      try {
        await write(headerOf(evicting));
        for (const buffer of records(evicting)) {
          if (signal?.aborted) return;
          await write(buffer);
        }
        const check = Buffer.alloc(checkBytes);
        check.writeUInt32LE(sum);
        await writeAll(file.fd, [check], at);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(path, this.#path);
      this.bytes = at + checkBytes;
      this.#written = changes;
    } finally {
      await rm(path, { force: true }).catch(() => undefined);
    }
  }

  /** Restore the policy: in the order of the file, then unknown entries, in the order in which they were stored. */
  async restore(evicting: Evicting): Promise<void> {
    const { policy, index } = evicting;
    const { table } = index;
    const known = new Uint8Array(table.end);
    /** The last record of each slot, counted from 1: an entry that moved during the write keeps its last place. */
    const last = new Uint32Array(table.end);
    const content = await this.#read(evicting);
    if (content === undefined) {
      await rm(this.#path, { force: true }).catch(() => undefined);
      this.bytes = 0;
    }
    const count = content === undefined ? 0 : (content.length - headerBytes - checkBytes) / recordBytes;
    const record = (at: number) => {
      const from = headerBytes + at * recordBytes;
      const state = (content as Buffer).readUInt32LE(from);
      const slot = state >>> 4;
      if (!table.isUsed(slot)) return undefined;
      if (table.get(slot, word.serialLow) !== (content as Buffer).readUInt32LE(from + 4)) return undefined;
      return { state, slot, hits: (content as Buffer).readUInt32LE(from + 8) };
    };
    const find = (at: number) => {
      const found = record(at);
      if (found !== undefined) last[found.slot] = at + 1;
    };
    const take = (at: number) => {
      const found = record(at);
      if (found === undefined || last[found.slot] !== at + 1) return;
      const { state, slot, hits } = found;
      known[slot] = 1;
      policy.restored(state, index.bytes(slot), table.get(slot, word.hashLow));
      table.hit(slot, hits);
    };
    await inSlices(() => count, slice, find);
    await inSlices(() => count, slice, take);
    const others = await bySerial(index, known);
    await inSlices(
      () => others.length,
      slice,
      (at) => {
        const slot = others[at] as number;
        if (table.isUsed(slot)) policy.added(slot, index.bytes(slot), table.get(slot, word.hashLow));
      },
    );
  }

  /** The file, when it is complete and of this policy and journal. */
  async #read(evicting: Evicting): Promise<Buffer | undefined> {
    try {
      await rm(`${this.#path}.new`, { force: true });
      const { size } = await stat(this.#path);
      this.bytes = size;
      const records = (size - headerBytes - checkBytes) / recordBytes;
      // More records than this index can have had: it is not ours.
      const max = maxRecords(evicting.index.table.end) + slice;
      if (!Number.isInteger(records) || records < 0 || records > max) return undefined;
      const content = await readWhole(this.#path, size);
      if (content === undefined || !content.subarray(0, headerBytes).equals(headerOf(evicting)))
        return undefined;
      let sum = 0;
      for (let at = 0; at < size - checkBytes; at += 2 ** 20) {
        sum = crc32(content.subarray(at, Math.min(at + 2 ** 20, size - checkBytes)), sum);
        await yieldToEventLoop();
      }
      return sum === content.readUInt32LE(size - checkBytes) ? content : undefined;
    } catch {
      return undefined;
    }
  }
}

async function readWhole(path: string, size: number): Promise<Buffer | undefined> {
  const file = await open(path);
  try {
    const content = Buffer.alloc(size);
    for (let at = 0; at < size; ) {
      const { bytesRead } = await file.read(content, at, Math.min(2 ** 20, size - at), at);
      if (bytesRead === 0) return undefined;
      at += bytesRead;
    }
    return content;
  } finally {
    await file.close();
  }
}

function* records({ policy, index: { table } }: Evicting): Generator<Buffer> {
  let buffer = Buffer.alloc(slice * recordBytes);
  let at = 0;
  let left = maxRecords(policy.size);
  for (const state of policy.states()) {
    // The remaining entries were used just now: at the next start they come after the recorded ones.
    if (left-- === 0) break;
    const slot = state >>> 4;
    buffer.writeUInt32LE(state, at);
    buffer.writeUInt32LE(table.get(slot, word.serialLow), at + 4);
    buffer.writeUInt32LE(table.hits(slot), at + 8);
    at += recordBytes;
    if (at < buffer.length) continue;
    yield buffer;
    buffer = Buffer.alloc(slice * recordBytes);
    at = 0;
  }
  yield buffer.subarray(0, at);
}

/** The used slots that are not known, in the order in which they were stored: radix sort, in slices. */
async function bySerial({ table }: DiskIndex, known: Uint8Array): Promise<Uint32Array> {
  let count = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  let slots = new Uint32Array(known.length);
  await inSlices(
    () => known.length,
    slice,
    (slot) => {
      if (known[slot] === 1 || !table.isUsed(slot)) return;
      slots[count++] = slot;
      const serial = table.serial(slot);
      min = Math.min(min, serial);
      max = Math.max(max, serial);
    },
  );
  slots = slots.subarray(0, count);
  let sorted = new Uint32Array(count);
  for (let place = 1; place <= max - min; place *= 2048) {
    const [from, to] = [slots, sorted];
    const ends = new Uint32Array(2049);
    const digit = (at: number) => Math.floor((table.serial(from[at] as number) - min) / place) % 2048;
    const countDigit = (at: number) => {
      ends[digit(at) + 1] = (ends[digit(at) + 1] as number) + 1;
    };
    await inSlices(() => count, slice, countDigit);
    for (let at = 1; at < ends.length; at++) ends[at] = (ends[at] as number) + (ends[at - 1] as number);
    const put = (at: number) => {
      const which = digit(at);
      const place = ends[which] as number;
      to[place] = from[at] as number;
      ends[which] = place + 1;
    };
    await inSlices(() => count, slice, put);
    [slots, sorted] = [to, from];
  }
  return slots;
}
