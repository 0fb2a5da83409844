import { failure } from '../../../kernel/index.ts';
import { cacheErrors, storeFailed } from '../../errors.ts';
import type { ContentPlace } from '../disk-index/disk-index.ts';
import { pinned, whenCollected } from '../disk-log/read-back-leases.ts';
import type { StoreFile } from '../files/store-files.ts';
import { checkBytes, checkedPiece, pieceBytes, storedBytes } from '../model/content-blocks.ts';
import type { StoredEntry } from '../model/stored-entry.ts';
import type { DiskState } from './disk-state.ts';
import { isPassing } from './meta-reading.ts';

const groupPieces = 4;

interface Source {
  readonly state: DiskState;
  readonly entry: StoredEntry;
  readonly file: StoreFile;
  readonly place: ContentPlace;
  readonly release: () => void;
}

function readFailure({ state, entry }: Source, error?: unknown) {
  const { key } = entry;
  if (error !== undefined && isPassing(error)) return storeFailed(state.folder, error);
  if (state.isThere(entry)) state.lose(entry.slot);
  return failure(cacheErrors.CACHE_DAMAGED, { key }, error);
}

const step = pieceBytes + checkBytes;

/** Bytes of a piece with its check. */
const stepOf = (index: number, length: number) =>
  Math.min(pieceBytes, length - index * pieceBytes) + checkBytes;

/** The pieces from `first` to before `end` of a content, from its stored bytes; undefined if damaged. */
function checkedPieces(
  stored: Buffer,
  serial: number,
  { first, end, length }: { readonly first: number; readonly end: number; readonly length: number },
): readonly Buffer[] | undefined {
  const pieces: Buffer[] = [];
  for (let index = first; index < end; index++) {
    const from = (index - first) * step;
    const bytes = stepOf(index, length);
    const part = stored.subarray(from, from + bytes);
    const piece = part.length === bytes ? checkedPiece(part, serial, index) : undefined;
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  return pieces;
}

/** Read and check the pieces from `first` to before `end`. */
async function readGroup(source: Source, first: number, end: number): Promise<readonly Buffer[]> {
  const { state, file, place, entry } = source;
  const bytes = (end - 1 - first) * step + stepOf(end - 1, place.length);
  let stored: Buffer;
  try {
    stored = await state.files.read(file, place.offset + first * step, bytes);
  } catch (error) {
    throw readFailure(source, error);
  }
  const pieces = checkedPieces(stored, entry.id, { first, end, length: place.length });
  if (pieces === undefined) throw readFailure(source);
  return pieces;
}

/** A copy with its own memory, so that it keeps no shared slab alive. */
function ownCopy(slices: readonly Uint8Array[], length: number): Uint8Array {
  const copy = new Uint8Array(length);
  let at = 0;
  for (const slice of slices) {
    copy.set(slice, at);
    at += slice.length;
  }
  return copy;
}

async function* contentPieces(source: Source, from: number, end: number): AsyncGenerator<Uint8Array> {
  const { entry, state, release } = source;
  const firstPiece = Math.floor(from / pieceBytes);
  const endPiece = Math.ceil(end / pieceBytes);
  // A content that memory may hold is held from now on when it is read as a whole.
  const isWhole = from === 0 && end === entry.contentLength && state.hot.admits(end);
  const kept: Uint8Array[] = [];
  const group = (at: number) => {
    const reading = readGroup(source, at, Math.min(at + groupPieces, endPiece));
    // It may fail before it is awaited.
    reading.catch(() => undefined);
    return reading;
  };
  try {
    let next = group(firstPiece);
    for (let at = firstPiece; at < endPiece; at += groupPieces) {
      const pieces = await next;
      if (at + groupPieces < endPiece) next = group(at + groupPieces);
      else release();
      for (const [within, piece] of pieces.entries()) {
        const start = (at + within) * pieceBytes;
        const slice = piece.subarray(Math.max(0, from - start), Math.min(piece.length, end - start));
        if (isWhole) kept.push(slice);
        yield slice;
      }
    }
    if (isWhole && state.isThere(entry)) state.hot.keepContent(entry, ownCopy(kept, end));
  } finally {
    release();
  }
}

/** A whole content without a wait, when memory still has its written bytes and may hold it; it is held from now on. */
export function freshContent({ index, tail, hot }: DiskState, entry: StoredEntry): Uint8Array | undefined {
  const { file, offset, length, ownFile } = index.contentPlace(entry.slot);
  if (ownFile || !hot.admits(length)) return undefined;
  const stored = length === 0 ? Buffer.alloc(0) : tail.read(file, offset, storedBytes(length));
  const end = Math.ceil(length / pieceBytes);
  const pieces = stored && checkedPieces(stored, entry.id, { first: 0, end, length });
  if (pieces === undefined) return undefined;
  const content = ownCopy(pieces, length);
  hot.keepContent(entry, content);
  return content;
}

/**
 * A range of an entry's content from disk, whose file is held until the iteration ends. Throws CACHE_DAMAGED,
 * or CACHE_STORE_FAILED without a descriptor.
 */
export function readContent(
  state: DiskState,
  entry: StoredEntry,
  from: number,
  end: number,
): AsyncIterable<Uint8Array> {
  const place = state.index.contentPlace(entry.slot);
  const file = state.files.get(place.file);
  if (file === undefined) {
    state.lose(entry.slot);
    throw failure(cacheErrors.CACHE_DAMAGED, { key: entry.key });
  }
  const release = pinned(state.files, file);
  const pieces = contentPieces({ state, entry, file, place, release }, from, end);
  whenCollected(pieces, release);
  return pieces;
}
