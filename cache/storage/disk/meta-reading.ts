import type { DiskState } from './disk-state.ts';
import { decodeKey, decodeMeta, type Meta } from './meta-record.ts';

/** Heads closer together than this in a file are read with one call, up to a max size. Bytes. */
const nearBytes = 16 * 1024;
const maxReadBytes = 256 * 1024;

interface Wanted {
  readonly slot: number;
  readonly serial: number;
  readonly file: number;
  readonly offset: number;
  readonly bytes: number;
}

function wanted({ table, index }: DiskState, slot: number): Wanted {
  return { slot, serial: table.serial(slot), ...index.metaPlace(slot) };
}

/** Whether an entry's head is still at this place. */
function isStill(state: DiskState, { slot, serial, file, offset }: Wanted): boolean {
  if (!state.table.isUsed(slot) || state.table.serial(slot) !== serial) return false;
  const place = state.index.metaPlace(slot);
  return place.file === file && place.offset === offset;
}

/** Temporary errors, such as a lack of descriptors: the bytes on disk are still intact. */
const passing = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'ECANCELED']);

export const isPassing = (error: unknown) => passing.has(String((error as NodeJS.ErrnoException).code));

async function bytesOf(
  state: DiskState,
  file: number,
  offset: number,
  bytes: number,
): Promise<Buffer | 'later'> {
  const found = state.files.get(file);
  if (found === undefined) return Buffer.alloc(0);
  try {
    return await state.files.read(found, offset, bytes);
  } catch (error) {
    return isPassing(error) ? 'later' : Buffer.alloc(0);
  }
}

/** The head of an entry from disk. A damaged record leaves the index; undefined then, and when it moved. */
export async function readMeta(state: DiskState, slot: number): Promise<Meta | undefined> {
  const want = wanted(state, slot);
  const bytes = await bytesOf(state, want.file, want.offset, want.bytes);
  return bytes === 'later' ? undefined : decoded(state, want, bytes, decodeMeta);
}

/** The same without a wait, when memory still has its intact written bytes. */
export function freshMeta({ table, index, tail }: DiskState, slot: number): Meta | undefined {
  const { file, offset, bytes } = index.metaPlace(slot);
  const record = tail.read(file, offset, bytes);
  return record === undefined ? undefined : decodeMeta(record, table.serial(slot));
}

type Decode<Found> = (record: Buffer, serial: number) => Found | undefined;

function decoded<Found>(state: DiskState, want: Wanted, bytes: Buffer, decode: Decode<Found>) {
  if (!isStill(state, want)) return undefined;
  const found = decode(bytes, want.serial);
  if (found === undefined) state.lose(want.slot);
  return found;
}

/** The heads of many entries, in their order on disk; moved ones come last, and removed ones are left out. */
export function readMetas(state: DiskState, slots: readonly number[]) {
  return readMany(state, slots, decodeMeta);
}

/** The same when only keys are needed. */
export function readKeys(state: DiskState, slots: readonly number[]) {
  return readMany(state, slots, decodeKey);
}

async function* readMany<Found>(
  state: DiskState,
  slots: readonly number[],
  decode: Decode<Found>,
): AsyncGenerator<readonly [slot: number, found: Found]> {
  const all = slots.filter((slot) => state.table.isUsed(slot)).map((slot) => wanted(state, slot));
  all.sort((a, b) => a.file - b.file || a.offset - b.offset);
  const moved: number[] = [];
  for (let from = 0; from < all.length; ) {
    const first = all[from] as Wanted;
    let end = first.offset;
    let to = from;
    for (; to < all.length; to++) {
      const { file, offset, bytes } = all[to] as Wanted;
      if (file !== first.file || offset > end + nearBytes) break;
      if (to > from && offset + bytes - first.offset > maxReadBytes) break;
      end = offset + bytes;
    }
    const bytes = await bytesOf(state, first.file, first.offset, end - first.offset);
    for (; from < to; from++) {
      const want = all[from] as Wanted;
      if (bytes === 'later' || !isStill(state, want)) {
        moved.push(want.slot);
        continue;
      }
      const at = want.offset - first.offset;
      const found = decoded(state, want, bytes.subarray(at, at + want.bytes), decode);
      if (found !== undefined) yield [want.slot, found];
    }
  }
  for (const slot of moved) {
    if (!state.table.isUsed(slot)) continue;
    const want = wanted(state, slot);
    const bytes = await bytesOf(state, want.file, want.offset, want.bytes);
    const found = bytes === 'later' ? undefined : decoded(state, want, bytes, decode);
    if (found !== undefined) yield [slot, found];
  }
}
