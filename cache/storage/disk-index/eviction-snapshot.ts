import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { EvictionPolicy } from '../../eviction/index.ts';
import { writeAll } from '../files/write-all.ts';
import { inSlices, yieldToEventLoop } from '../model/yield-to-event-loop.ts';
import type { DiskIndex } from './disk-index.ts';
import type { JournalHeader } from './journal-record.ts';
import { word } from './slot-table.ts';

const magic = 'GARNER cache eviction 1\n';
/** Magic, the policy's name, and the seeds of the journal whose slots it speaks of. */
const headerBytes = 64;
/** How an entry stands with the policy, the low half of its serial, and its hits. */
const recordBytes = 12;
const checkBytes = 4;
/** Records written or taken in before others have their turn. */
const slice = 4096;

/** Who is used while they are written stands there twice; a file of more than this is neither written nor read. */
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
 * Who was used lately, in a file beside the journal, so that after a restart those leave who would have left without it.
 * It may be older than the index, and be missing: only the order of leaving and the counts of hits rest on it.
 */
export class EvictionSnapshot {
  readonly #path: string;
  /** Bytes of the file. */
  bytes = 0;
  /** Entries and touches when it was written. */
  #written = -1;

  constructor(folder: string) {
    this.#path = join(folder, 'eviction');
  }

  /** What it may take beside what it has: another one while it is written anew. */
  spareBytes(entries: number): number {
    return headerBytes + checkBytes + maxRecords(entries) * recordBytes;
  }

  /** Write it anew unless `changes` is as it was. Rejects with what the system said. */
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

  /** Tell the policy of every entry: as the file says, then those it does not know, in the order they were stored. */
  async restore(evicting: Evicting): Promise<void> {
    const { policy, index } = evicting;
    const { table } = index;
    const known = new Uint8Array(table.end);
    /** The last record of each slot, counted from 1: who moved while they were written stands where they came last. */
    const last = new Uint32Array(table.end);
    const content = await this.#read(evicting);
    if (content === undefined) {
      await rm(this.#path, { force: true }).catch(() => undefined);
      this.bytes = 0;
    }
    const count = content === undefined ? 0 : (content.length - headerBytes - checkBytes) / recordBytes;
    const record = (at: number) => {
      const from = headerBytes + at * recordBytes;
      const standing = (content as Buffer).readUInt32LE(from);
      const slot = standing >>> 4;
      if (!table.isUsed(slot)) return undefined;
      if (table.get(slot, word.serialLow) !== (content as Buffer).readUInt32LE(from + 4)) return undefined;
      return { standing, slot, hits: (content as Buffer).readUInt32LE(from + 8) };
    };
    const find = (at: number) => {
      const found = record(at);
      if (found !== undefined) last[found.slot] = at + 1;
    };
    const take = (at: number) => {
      const found = record(at);
      if (found === undefined || last[found.slot] !== at + 1) return;
      const { standing, slot, hits } = found;
      known[slot] = 1;
      policy.restored(standing, index.bytes(slot), table.get(slot, word.hashLow));
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

  /** The file when it is whole and of this policy and journal. */
  async #read(evicting: Evicting): Promise<Buffer | undefined> {
    try {
      await rm(`${this.#path}.new`, { force: true });
      const { size } = await stat(this.#path);
      this.bytes = size;
      const records = (size - headerBytes - checkBytes) / recordBytes;
      // More than of entries that ever were at once: it is not ours.
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
  for (const standing of policy.standing()) {
    // The rest was used just now: at the next start they come in behind those that are told of.
    if (left-- === 0) break;
    const slot = standing >>> 4;
    buffer.writeUInt32LE(standing, at);
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

/** The slots in use that are not known, those stored first first: sorted by digits, some at a time. */
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
