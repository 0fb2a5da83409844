import { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';
import { SlidingWindow } from './sliding-window.ts';
import { type HuffmanCode, readLiterals } from './zstd-literals.ts';
import { readSequences, type SequenceTables } from './zstd-sequences.ts';

const maxBlockBytes = 128 * 1024;
// Blocks may be as small as a byte; their bytes are handed on together.
const pieceBytes = 64 * 1024;

// Node's zlib reads Zstandard from 22.15 on, and fzstd 0.1.1 loops on forged tables (see the tests).

/**
 * Unpack Zstandard (RFC 8878): all frames of the file; skippable frames are passed over. A block writes at most
 * 128 KiB; the decoder rejects it before it writes more. The content checksum of a frame is not verified.
 * @throws CorruptData or UnreadVariant, after it yielded the blocks before the fault
 */
export function* zstd(bytes: Uint8Array, maxWindowBytes: number): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let frames = 0; ; frames++) {
    if (at + 4 > bytes.length) {
      // A few bytes behind the last frame are ignored.
      if (frames > 0) return;
      throw new CorruptData(cutShort);
    }
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      if (at + 8 > bytes.length) throw new CorruptData(cutShort);
      at += 8 + view.getUint32(at + 4, true);
    } else if (magic === 0xfd2fb528) at = yield* frame(bytes, view, at + 4, maxWindowBytes);
    else if (frames > 0) return;
    else throw new CorruptData('it does not begin as zstd does');
  }
}

function* frame(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  maxWindowBytes: number,
): Generator<Uint8Array, number> {
  const flags = bytes[start] ?? 0;
  const single = (flags & 0x20) !== 0;
  if ((flags & 8) !== 0) throw new CorruptData('a frame in it is of an unknown kind');
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] as number;
  const sizeBytes = [single ? 1 : 0, 2, 4, 8][flags >> 6] as number;
  let at = start + 1;
  let windowBytes = 0;
  if (!single) {
    const code = bytes[at++] ?? 0;
    const base = 2 ** (10 + (code >> 3));
    windowBytes = base + (base / 8) * (code & 7);
  }
  for (let index = 0; index < dictionaryBytes; index++)
    if (bytes[at++] !== 0) throw new UnreadVariant('it needs a dictionary that is not in it');
  if (at + sizeBytes > bytes.length) throw new CorruptData(cutShort);
  if (single) windowBytes = sizeOf(view, at, sizeBytes);
  at += sizeBytes;

  const blocks = new BlockReader(bytes, new SlidingWindow(windowBytes, maxWindowBytes));
  const max = Math.min(maxBlockBytes, windowBytes);
  try {
    for (let last = false; !last; ) {
      if (at + 3 > bytes.length) throw new CorruptData(cutShort);
      const header =
        (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
      last = (header & 1) === 1;
      const kind = (header >> 1) & 3;
      const size = header >> 3;
      const end = at + 3 + (kind === 1 ? 1 : size);
      if (kind === 3) throw new CorruptData('a block in it is of an unknown kind');
      if (size > max) throw new CorruptData('a block in it is too long');
      if (end > bytes.length) throw new CorruptData(cutShort);
      if (kind === 0) blocks.write(bytes.subarray(at + 3, end));
      else if (kind === 1) blocks.write(new Uint8Array(size).fill(bytes[at + 3] as number));
      else blocks.decode(at + 3, end);
      at = end;
      if (blocks.waiting >= pieceBytes || last) yield* blocks.written();
    }
  } catch (error) {
    yield* blocks.written();
    throw error;
  }
  at += (flags & 4) === 0 ? 0 : 4;
  if (at > bytes.length) throw new CorruptData(cutShort);
  return at;
}

function sizeOf(view: DataView, at: number, bytes: number): number {
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return bytes === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

// The state that the blocks of one frame share: codes, tables, the last three distances, and the window.
class BlockReader {
  readonly #bytes: Uint8Array;
  readonly #window: SlidingWindow;
  readonly #tables: SequenceTables = {};
  readonly #distances: [number, number, number] = [1, 4, 8];
  #code: HuffmanCode | undefined;
  #pieces: Uint8Array[] = [];

  constructor(bytes: Uint8Array, window: SlidingWindow) {
    this.#bytes = bytes;
    this.#window = window;
  }

  /** Bytes that were written since the last call of `written`, as far as the window still has them. */
  get waiting(): number {
    return this.#window.fresh;
  }

  /** The bytes written since the last call. */
  *written(): Generator<Uint8Array> {
    this.#pieces.push(this.#window.take());
    for (const piece of this.#pieces.splice(0)) if (piece.length > 0) yield piece;
  }

  write(source: Uint8Array): void {
    for (let at = 0; at < source.length; ) {
      const part = source.subarray(at, at + this.#room());
      this.#window.copy(part);
      at += part.length;
    }
  }

  decode(start: number, end: number): void {
    const literals = readLiterals(this.#bytes, start, end, this.#code);
    this.#code = literals.code;
    const { count, values } = readSequences(this.#bytes, literals.end, end, this.#tables);
    let taken = 0;
    let left = maxBlockBytes;
    for (let index = 0; index < count * 3; index += 3) {
      const length = values[index] as number;
      const match = values[index + 2] as number;
      left -= length + match;
      if (left < 0) throw new CorruptData('a block in it is too long');
      if (taken + length > literals.bytes.length) throw new CorruptData('a block in it has too few literals');
      if (length > 0) this.write(literals.bytes.subarray(taken, taken + length));
      taken += length;
      this.#repeat(this.#distance(values[index + 1] as number, length), match);
    }
    if (literals.bytes.length - taken > left) throw new CorruptData('a block in it is too long');
    this.write(literals.bytes.subarray(taken));
  }

  #repeat(distance: number, length: number): void {
    for (let left = length; left > 0; ) {
      const part = Math.min(left, this.#room());
      this.#window.repeat(distance, part);
      left -= part;
    }
  }

  #room(): number {
    const { room } = this.#window;
    if (room > 0) return room;
    this.#pieces.push(this.#window.take());
    return this.#window.room;
  }

  // Values from 4 on are distances; 1 to 3 refer to the last ones, moved by one where no literals come
  // before.
  #distance(value: number, literals: number): number {
    const last = this.#distances;
    let distance: number;
    if (value > 3) {
      distance = value - 3;
      last[2] = last[1];
      last[1] = last[0];
    } else {
      const which = literals === 0 ? value : value - 1;
      distance = which === 3 ? last[0] - 1 : (last[which] as number);
      if (which >= 2) last[2] = last[1];
      if (which >= 1) last[1] = last[0];
    }
    if (distance < 1) throw new CorruptData('a distance in it is zero');
    last[0] = distance;
    return distance;
  }
}
