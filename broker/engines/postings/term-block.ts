import { type ByteReader, ByteWriter, failure } from '../../../kernel/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';
import { readPair, sharedLength, writePair } from '../codecs/front-coding.ts';
import { engineErrors } from '../errors.ts';

/** One term of a block: its key (field byte, then the term's UTF-8) and its data in the block. */
export interface BlockEntry {
  readonly key: Uint8Array;
  /** Its postings, or undefined where they are long and have a row of their own. */
  readonly postings: Uint8Array | undefined;
  /** Its positions, or undefined where they have a row of their own or are not stored. */
  readonly positions: Uint8Array | undefined;
}

/** Size of a full block: that of LevelDB's own blocks. */
const fullBytes = 4096;

/**
 * Collects terms in key order into one block: the number of terms and the length of the dictionary; the
 * dictionary (shared and own bytes of each key, lengths of its postings and positions); then these.
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

  /** The block. The writer is empty afterwards. */
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

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a block of terms is incomplete' });

/** An entry of a block with its number in the block. */
export type NumberedEntry = BlockEntry & { readonly number: number };

/** Iterates over the entries of a block without decoding skipped ones. */
class BlockScan {
  readonly #dictionary: ByteReader;
  readonly #block: Uint8Array;
  readonly #count: number;
  #number = -1;
  #buffer = new Uint8Array(64);
  #length = 0;
  /** Bounds of the postings and positions of this entry. */
  #from: number;
  #between: number;
  #to: number;

  constructor(block: Uint8Array) {
    const head = readerOf(block);
    this.#count = head.varint();
    const length = head.varint();
    if (head.at + length > block.length) throw damaged();
    this.#dictionary = readerOf(block, head.at, head.at + length);
    this.#block = block;
    this.#from = head.at + length;
    this.#between = this.#from;
    this.#to = this.#from;
  }

  /** Move to the next entry. Returns false after the last one. */
  next(): boolean {
    if (++this.#number >= this.#count) return false;
    const dictionary = this.#dictionary;
    const [shared, own] = readPair(dictionary);
    if (shared > this.#length) throw damaged();
    const rest = dictionary.bytes(own);
    this.#length = shared + own;
    if (this.#length > this.#buffer.length) {
      const longer = new Uint8Array(this.#length * 2);
      longer.set(this.#buffer.subarray(0, shared));
      this.#buffer = longer;
    }
    for (let at = 0; at < own; at++) this.#buffer[shared + at] = rest[at] as number;
    const [postings, positions] = readPair(dictionary);
    this.#from = this.#to;
    this.#between = this.#from + postings;
    this.#to = this.#between + positions;
    if (this.#to > this.#block.length) throw damaged();
    return true;
  }

  /** Below 0 where this entry's key sorts before the given one, 0 where they are equal. */
  compare(key: Uint8Array): number {
    const length = Math.min(this.#length, key.length);
    for (let at = 0; at < length; at++) {
      const difference = (this.#buffer[at] as number) - (key[at] as number);
      if (difference !== 0) return difference;
    }
    return this.#length - key.length;
  }

  get key(): Uint8Array {
    return this.#buffer.slice(0, this.#length);
  }

  get entry(): NumberedEntry {
    const part = (from: number, to: number) => (from === to ? undefined : this.#block.subarray(from, to));
    return {
      key: this.key,
      number: this.#number,
      postings: part(this.#from, this.#between),
      positions: part(this.#between, this.#to),
    };
  }
}

/** The entries of a block from the first whose key is not below `from`, as parts of `block` itself. */
export function* blockEntries(block: Uint8Array, from?: Uint8Array): Generator<NumberedEntry> {
  const scan = new BlockScan(block);
  while (scan.next()) if (from === undefined || scan.compare(from) >= 0) yield scan.entry;
}

/** The keys of a block that do not sort before `from`. */
export function blockKeys(block: Uint8Array, from?: Uint8Array): Uint8Array[] {
  const scan = new BlockScan(block);
  const keys: Uint8Array[] = [];
  while (scan.next()) if (from === undefined || scan.compare(from) >= 0) keys.push(scan.key);
  return keys;
}

/** The entry of a key, if here. Keys are compared by the part that they share with the one before. */
export function findInBlock(block: Uint8Array, key: Uint8Array): NumberedEntry | undefined {
  const head = readerOf(block);
  const count = head.varint();
  const length = head.varint();
  const end = head.at + length;
  if (end > block.length) throw damaged();
  let from = end;
  let last = 0;
  // Number of bytes that the entry before shares with the wanted key.
  let matched = 0;
  for (let number = 0; number < count; number++) {
    const [shared, own] = readPair(head);
    const { at } = head;
    if (shared > last || at + own >= end) throw damaged();
    // Keys ascend. This one differs from the wanted key earlier than the last one did, so it sorts after it.
    if (shared < matched) return undefined;
    let isWanted = false;
    if (shared === matched) {
      const max = Math.min(key.length - matched, own);
      let same = 0;
      while (same < max && block[at + same] === key[matched + same]) same++;
      matched += same;
      isWanted = same === own && matched === key.length;
      if (
        !isWanted &&
        (matched === key.length || (same < own && (block[at + same] as number) > (key[matched] as number)))
      )
        return undefined;
    }
    last = shared + own;
    head.at = at + own;
    const [postings, positions] = readPair(head);
    const between = from + postings;
    const to = between + positions;
    if (head.at > end || to > block.length) throw damaged();
    if (isWanted)
      return {
        ...{ key, number },
        postings: postings === 0 ? undefined : block.subarray(from, between),
        positions: positions === 0 ? undefined : block.subarray(between, to),
      };
    from = to;
  }
  return undefined;
}

/** The entries of ascending keys that a block has. */
export function entriesInBlock(
  block: Uint8Array,
  keys: readonly Uint8Array[],
): (NumberedEntry | undefined)[] {
  const scan = new BlockScan(block);
  let more = scan.next();
  return keys.map((key) => {
    while (more && scan.compare(key) < 0) more = scan.next();
    return more && scan.compare(key) === 0 ? scan.entry : undefined;
  });
}

/** For ascending keys, whether a block has each. */
export function presentInBlock(block: Uint8Array, keys: readonly Uint8Array[]): boolean[] {
  const scan = new BlockScan(block);
  let more = scan.next();
  return keys.map((key) => {
    while (more && scan.compare(key) < 0) more = scan.next();
    return more && scan.compare(key) === 0;
  });
}
