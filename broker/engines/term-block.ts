import { failure } from '../../kernel/index.ts';
import { ByteReader, ByteWriter } from './byte-codec.ts';
import { engineErrors } from './errors.ts';

/** One term of a block: its key (field byte, then the term's UTF-8) and what is kept in the block itself. */
export interface BlockEntry {
  readonly key: Uint8Array;
  /** Its postings, or undefined where they are too long and have a row of their own. */
  readonly postings: Uint8Array | undefined;
  /** Its positions, or undefined where they have a row of their own or are not kept. */
  readonly positions: Uint8Array | undefined;
}

/** A block is full when it has so many bytes: as long as LevelDB's own blocks. */
const fullBytes = 4096;
const inFull = 255;

/** Two numbers, most often in one byte. */
function writePair(writer: ByteWriter, first: number, second: number): void {
  if (first < 15 && second < 15) {
    writer.byte(first * 16 + second);
    return;
  }
  writer.byte(inFull);
  writer.varint(first);
  writer.varint(second);
}

function readPair(reader: ByteReader): [first: number, second: number] {
  const byte = reader.byte();
  return byte === inFull ? [reader.varint(), reader.varint()] : [byte >>> 4, byte & 15];
}

/** How many bytes two keys share at their beginning. */
export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}

/**
 * Collects terms in the order of their keys into one block: varints of how many there are and of the length of the
 * dictionary; the dictionary (shared and own bytes of each key, lengths of its postings and positions, 0 for none
 * here); then the postings and positions themselves.
 */
export class TermBlockWriter {
  readonly #dictionary = new ByteWriter();
  readonly #payload = new ByteWriter();
  readonly #block = new ByteWriter();
  #last: Uint8Array = new Uint8Array();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get full(): boolean {
    return this.#dictionary.length + this.#payload.length >= fullBytes;
  }

  add({ key, postings, positions }: BlockEntry): void {
    const shared = sharedLength(this.#last, key);
    writePair(this.#dictionary, shared, key.length - shared);
    this.#dictionary.bytes(key.subarray(shared));
    writePair(this.#dictionary, postings?.length ?? 0, positions?.length ?? 0);
    if (postings !== undefined) this.#payload.bytes(postings);
    if (positions !== undefined) this.#payload.bytes(positions);
    this.#last = key;
    this.#count++;
  }

  /** The block; the writer is empty afterwards. */
  take(): Uint8Array {
    this.#block.varint(this.#count);
    const dictionary = this.#dictionary.take();
    this.#block.varint(dictionary.length);
    this.#block.bytes(dictionary);
    this.#block.bytes(this.#payload.take());
    this.#last = new Uint8Array();
    this.#count = 0;
    return this.#block.take();
  }
}

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a block of terms is not whole' });

/** The entries of a block with their numbers, from the first whose key is not below `from`; parts of `block` itself. */
export function* blockEntries(
  block: Uint8Array,
  from?: Uint8Array,
): Generator<BlockEntry & { readonly number: number }> {
  const head = new ByteReader(block);
  const count = head.varint();
  const dictionaryLength = head.varint();
  if (head.at + dictionaryLength > block.length) throw damaged();
  const reader = new ByteReader(block, head.at, head.at + dictionaryLength);
  const payload = new ByteReader(block, head.at + dictionaryLength);
  let key: Uint8Array = new Uint8Array();
  for (let number = 0; number < count; number++) {
    const [shared, own] = readPair(reader);
    if (shared > key.length) throw damaged();
    const rest = reader.bytes(own);
    const next = new Uint8Array(shared + own);
    next.set(key.subarray(0, shared));
    next.set(rest, shared);
    key = next;
    const [postingsLength, positionsLength] = readPair(reader);
    const postings = payload.bytes(postingsLength);
    const positions = payload.bytes(positionsLength);
    if (from !== undefined && Buffer.compare(key, from) < 0) continue;
    yield {
      key,
      number,
      postings: postingsLength === 0 ? undefined : postings,
      positions: positionsLength === 0 ? undefined : positions,
    };
  }
}

/** The entry of a key, if the block has it. */
export function findInBlock(
  block: Uint8Array,
  key: Uint8Array,
): (BlockEntry & { readonly number: number }) | undefined {
  for (const entry of blockEntries(block, key))
    return Buffer.compare(entry.key, key) === 0 ? entry : undefined;
  return undefined;
}
