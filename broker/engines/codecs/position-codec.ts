import { ByteWriter, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { seek } from '../model/doc-set.ts';
import { BitReader, BitWriter, readerOf, riceFor } from './bit-codec.ts';
import type { Postings } from './posting-codec.ts';

/** Objects in one block of positions, which a reader decodes to reach any of them. */
const blockSize = 64;
const parameterBits = 4;

/** The positions of a term in the objects of one segment, encoded, with the postings that they belong to. */
export interface StoredPositions {
  readonly postings: Postings;
  readonly value: Uint8Array;
}

/**
 * Encodes the positions of a term in docno order. A list of more than one block begins with the byte length
 * of each but the last. A block: the parameter of the frequencies, then each object's frequency, parameter of
 * its gaps, and gaps, Rice coded. A list of one object has no frequency.
 */
export class PositionEncoder {
  readonly #bits = new BitWriter();
  readonly #lengths = new ByteWriter();
  readonly #blocks = new ByteWriter();
  /** The number of positions of each object in this block, and all their positions in sequence. */
  readonly #frequencies = new Uint32Array(blockSize);
  #positions = new Uint32Array(1024);
  #objects = 0;
  #length = 0;
  #flushed = false;

  /** The next object's ascending positions: `positions` from `from` to `to`, exclusive, less `origin`. */
  add(positions: ArrayLike<number>, from = 0, to = positions.length, origin = 0): void {
    if (this.#objects === blockSize) {
      const block = this.#block();
      this.#lengths.varint(block.length);
      this.#blocks.bytes(block);
      this.#flushed = true;
    }
    this.#frequencies[this.#objects++] = to - from;
    if (this.#length + to - from > this.#positions.length) this.#grow(to - from);
    const own = this.#positions;
    let length = this.#length;
    for (let at = from; at < to; at++) own[length++] = (positions[at] as number) - origin;
    this.#length = length;
  }

  /** The encoded list. The encoder is empty afterwards. */
  take(): Uint8Array {
    const block = this.#block();
    if (!this.#flushed) return block;
    this.#flushed = false;
    this.#lengths.bytes(this.#blocks.take());
    this.#lengths.bytes(block);
    return this.#lengths.take();
  }

  #grow(more: number): void {
    const larger = new Uint32Array(Math.max(2 * this.#positions.length, this.#length + more));
    larger.set(this.#positions.subarray(0, this.#length));
    this.#positions = larger;
  }

  #block(): Uint8Array {
    const objects = this.#objects;
    const single = !this.#flushed && objects === 1;
    let k = 0;
    if (!single) {
      k = riceFor(this.#length / objects - 1);
      this.#bits.bits(k, parameterBits);
    }
    let at = 0;
    for (let object = 0; object < objects; object++) {
      const frequency = this.#frequencies[object] as number;
      if (!single) this.#bits.rice(frequency - 1, k);
      this.#gaps(at, at + frequency);
      at += frequency;
    }
    this.#objects = 0;
    this.#length = 0;
    return this.#bits.take();
  }

  #gaps(from: number, to: number): void {
    const positions = this.#positions;
    const bits = this.#bits;
    const count = to - from;
    const k = riceFor(((positions[to - 1] as number) - count + 1) / count);
    bits.bits(k, parameterBits);
    let next = 0;
    for (let at = from; at < to; at++) {
      const position = positions[at] as number;
      bits.rice(position - next, k);
      next = position + 1;
    }
  }
}

/** Reads objects of a list in ascending order, and skips the others. */
class PositionDecoder {
  readonly #value: Uint8Array;
  readonly #count: number;
  readonly #occurrences: number;
  /** The start of each block, and the end of the last one. */
  readonly #starts: Uint32Array;
  #bits: BitReader;
  #block = -1;
  /** The next object within the block. */
  #next = 0;
  #k = 0;

  constructor({ postings, value }: StoredPositions) {
    this.#value = value;
    this.#count = postings.docnos.length;
    this.#occurrences = postings.occurrences;
    const blocks = Math.ceil(this.#count / blockSize);
    this.#starts = new Uint32Array(blocks + 1);
    const reader = readerOf(value);
    for (let block = 1; block < blocks; block++)
      this.#starts[block] = (this.#starts[block - 1] as number) + reader.varint();
    for (let block = 0; block < blocks; block++)
      this.#starts[block] = (this.#starts[block] as number) + reader.at;
    this.#starts[blocks] = value.length;
    this.#bits = new BitReader(value, 0, value.length);
  }

  positionsOf(index: number): number[] {
    const block = Math.floor(index / blockSize);
    if (block !== this.#block) this.#open(block);
    const wanted = index % blockSize;
    while (this.#next < wanted) this.#object(undefined);
    const positions: number[] = [];
    this.#object(positions);
    this.#bits.check();
    return positions;
  }

  #open(block: number): void {
    const [from, to] = [this.#starts[block] as number, this.#starts[block + 1] as number];
    if (from > to || to > this.#value.length) throw damaged();
    this.#bits = new BitReader(this.#value, from, to);
    this.#block = block;
    this.#next = 0;
    this.#k = this.#count === 1 ? 0 : this.#bits.bits(parameterBits);
  }

  #object(positions: number[] | undefined): void {
    const bits = this.#bits;
    const frequency = this.#count === 1 ? this.#occurrences : bits.rice(this.#k) + 1;
    // Each position takes at least a bit, so this bounds the work on a damaged number.
    if (frequency > this.#value.length * 8) throw damaged();
    const k = bits.bits(parameterBits);
    let next = 0;
    for (let at = 0; at < frequency; at++) {
      const position = next + bits.rice(k);
      positions?.push(position);
      next = position + 1;
    }
    this.#next++;
  }
}

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'positions end early' });

/** Every object's positions in the order of the list. */
export function* allPositions(stored: StoredPositions): Generator<readonly number[]> {
  const decoder = new PositionDecoder(stored);
  for (let index = 0; index < stored.postings.docnos.length; index++) yield decoder.positionsOf(index);
}

function visitWanted(
  stored: StoredPositions,
  wanted: Uint32Array,
  visit: (index: number, positions: number[]) => void,
): void {
  const decoder = new PositionDecoder(stored);
  const { docnos } = stored.postings;
  let at = 0;
  let index = seek(wanted, docnos[0] ?? 0, 0);
  for (; index < wanted.length && at < docnos.length; index++) {
    const docno = wanted[index] as number;
    at = seek(docnos, docno, at);
    if (docnos[at] === docno) visit(index, decoder.positionsOf(at));
  }
}

/** The positions of a term in each wanted docno (ascending) of a segment's list, by the docno's index. */
export function readPositions(
  stored: StoredPositions,
  wanted: Uint32Array,
  found: (readonly number[] | undefined)[],
): void {
  visitWanted(stored, wanted, (index, positions) => {
    found[index] = positions;
  });
}

/**
 * The possible starts of a phrase for each wanted docno (ascending): one term's positions less `offset`, its
 * place in the phrase; with `known`, only those known from earlier terms. Written to `found`.
 */
export function readStarts(
  stored: StoredPositions,
  wanted: Uint32Array,
  offset: number,
  known: readonly (readonly number[] | undefined)[] | undefined,
  found: (number[] | undefined)[],
): void {
  visitWanted(stored, wanted, (index, positions) => {
    const before = known?.[index];
    let starts: number[];
    if (before === undefined) {
      starts = offset === 0 ? positions : positions.map((position) => position - offset);
    } else {
      starts = [];
      let at = 0;
      for (const position of positions) {
        while (at < before.length && (before[at] as number) < position - offset) at++;
        if (at === before.length) break;
        if (before[at] === position - offset) starts.push(position - offset);
      }
    }
    if (starts.length > 0) found[index] = starts;
  });
}
