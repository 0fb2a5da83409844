import { ByteWriter, failure } from '../../../kernel/index.ts';
import { BitReader, BitWriter, readerOf } from '../codecs/bit-codec.ts';
import { engineErrors } from '../errors.ts';
import { readAscending, readCount, writeAscending, writeCount } from './interpolative-code.ts';

/** The objects of a segment, and the size of the blocks in which common words are listed. */
export interface ObjectSpan {
  /** First and last docno. */
  readonly from: number;
  readonly to: number;
  /** Objects in a block, as a power of two; with 0 every word lists objects. */
  readonly blockBits: number;
}

/** The blocks of a term, ascending, each of 2^`blockBits` docnos; single objects where that is 0. */
export interface ObjectList {
  readonly blockBits: number;
  readonly blocks: readonly number[];
}

/** A word is common when it occurs in more than one of this many objects. */
const commonShare = 8;
/** A word in no more objects than this is never common. */
const minCommon = 16;

/** Lists in a group with a common header. Reading one list reads those before it in its group. */
const groupSize = 32;

/** The list as a segment stores it: by blocks where the word is common. */
export function listFor({ from, to, blockBits }: ObjectSpan, list: ObjectList): ObjectList {
  if (blockBits === list.blockBits) return list;
  if (list.blocks.length <= Math.max(minCommon, Math.floor((to - from + 1) / commonShare))) return list;
  return inBlocks(list, blockBits);
}

/** The same objects, in blocks. */
export function inBlocks(list: ObjectList, blockBits: number): ObjectList {
  const blocks: number[] = [];
  for (const finer of list.blocks) {
    const block = finer >>> (blockBits - list.blockBits);
    if (blocks.at(-1) !== block) blocks.push(block);
  }
  return { blockBits, blocks };
}

/**
 * Encode lists, none of them empty: the byte length of each group of lists but the last, then the groups. For
 * each list: whether it lists objects (where the span has blocks), its length, and its numbers.
 */
export function encodeLists(lists: readonly ObjectList[], { from, to, blockBits }: ObjectSpan): Uint8Array {
  const [head, groups] = [new ByteWriter(), new ByteWriter()];
  const bits = new BitWriter();
  for (let at = 0; at < lists.length; at += groupSize) {
    for (const list of lists.slice(at, at + groupSize)) {
      if (blockBits > 0) bits.bits(list.blockBits === 0 ? 1 : 0, 1);
      writeCount(bits, list.blocks.length);
      writeAscending(bits, list.blocks, from >>> list.blockBits, to >>> list.blockBits);
    }
    const group = bits.take();
    groups.bytes(group);
    if (at + groupSize < lists.length) head.varint(group.length);
  }
  head.bytes(groups.take());
  return head.take();
}

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a list of objects is invalid' });

/** The output of `encodeLists`, read a list at a time. */
export class StoredLists {
  readonly #bytes: Uint8Array;
  readonly #count: number;
  readonly #span: ObjectSpan;
  readonly #starts: readonly number[];

  /** Throws ENGINE_DAMAGED. */
  constructor(bytes: Uint8Array, count: number, span: ObjectSpan) {
    this.#bytes = bytes;
    this.#count = count;
    this.#span = span;
    const reader = readerOf(bytes);
    const starts = [0];
    for (let at = groupSize; at < count; at += groupSize)
      starts.push((starts.at(-1) as number) + reader.varint());
    this.#starts = starts.map((start) => start + reader.at);
    if ((this.#starts.at(-1) as number) > bytes.length) throw damaged();
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  /** The list number `wanted`. Throws ENGINE_DAMAGED. */
  at(wanted: number): ObjectList {
    const group = Math.floor(wanted / groupSize);
    const reader = this.#reader(group);
    let list = this.#next(reader);
    for (let at = group * groupSize; at < wanted; at++) list = this.#next(reader);
    reader.check();
    return list;
  }

  /** Each of them. Throws ENGINE_DAMAGED. */
  *all(): Generator<ObjectList> {
    let reader = this.#reader(0);
    for (let at = 0; at < this.#count; at++) {
      if (at % groupSize === 0) reader = this.#reader(at / groupSize);
      const list = this.#next(reader);
      reader.check();
      yield list;
    }
  }

  #reader(group: number): BitReader {
    return new BitReader(
      this.#bytes,
      this.#starts[group] ?? 0,
      this.#starts[group + 1] ?? this.#bytes.length,
    );
  }

  #next(reader: BitReader): ObjectList {
    const { from, to, blockBits: coarse } = this.#span;
    const blockBits = coarse > 0 && reader.bits(1) === 0 ? coarse : 0;
    const [min, max] = [from >>> blockBits, to >>> blockBits];
    const count = readCount(reader);
    if (count === 0 || count > max - min + 1) throw damaged();
    return { blockBits, blocks: readAscending(reader, count, min, max) };
  }
}
