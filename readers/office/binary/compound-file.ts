import { ByteView } from '../../bytes/index.ts';

const endOfChain = 0xfffffffe;
const maxEntries = 100_000;
const maxStreamBytes = 64 * 1024 * 1024;

interface Entry {
  readonly start: number;
  readonly size: number;
}

/** Whether bytes begin as a compound file. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11 && bytes[3] === 0xe0;
}

/** The streams of an older Office file (MS-CFB); looping chains end. Throws RangeError for a bad header. */
export class CompoundFile {
  readonly #view: ByteView;
  readonly #sectorSize: number;
  readonly #miniSize: number;
  readonly #cutoff: number;
  readonly #table: readonly number[];
  readonly #miniTable: readonly number[];
  readonly #mini: Uint8Array;
  readonly #entries = new Map<string, Entry>();
  #own: ReadonlySet<string> = new Set();

  constructor(bytes: Uint8Array) {
    if (!isCompoundFile(bytes)) throw new RangeError('not a compound file');
    const view = new ByteView(bytes, true);
    this.#view = view;
    this.#sectorSize = 1 << Math.min(view.u16(30), 16);
    this.#miniSize = 1 << Math.min(view.u16(32), 12);
    if (this.#sectorSize < 128 || this.#miniSize < 16) throw new RangeError('sectors too small');
    this.#cutoff = view.u32(56);
    this.#table = this.#readTable();
    const directory = this.#chain(view.u32(48), maxStreamBytes);
    this.#miniTable = numbersOf(this.#chain(view.u32(60), maxStreamBytes));
    const root = this.#readDirectory(directory);
    this.#mini = root === undefined ? new Uint8Array() : this.#chain(root.start, root.size);
  }

  /** The names of all streams. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Whether a stream is one of the document itself and not of an object in it. */
  owns(name: string): boolean {
    return this.#own.size === 0 ? this.#entries.has(name) : this.#own.has(name);
  }

  /** A stream by its name, or undefined. */
  stream(name: string): Uint8Array | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const { start, size } = entry;
    return size < this.#cutoff
      ? this.#miniChain(start, size)
      : this.#chain(start, Math.min(size, maxStreamBytes));
  }

  #sector(number: number): Uint8Array {
    const start = (number + 1) * this.#sectorSize;
    return this.#view.slice(start, start + this.#sectorSize);
  }

  /** The allocation table; the list of its sectors begins in the header and goes on elsewhere. */
  #readTable(): number[] {
    const view = this.#view;
    const count = Math.ceil(view.length / this.#sectorSize);
    const sectors: number[] = [];
    for (let at = 0; at < 109; at++) sectors.push(view.u32(76 + 4 * at));
    let next = view.u32(68);
    for (let left = count; left > 0 && next < count; left--) {
      const list = numbersOf(this.#sector(next));
      next = list.pop() ?? endOfChain;
      sectors.push(...list);
    }
    const table: number[] = [];
    for (const sector of new Set(sectors))
      if (sector < count) for (const number of numbersOf(this.#sector(sector))) table.push(number);
    return table;
  }

  #chain(start: number, size: number): Uint8Array {
    const parts: Uint8Array[] = [];
    let length = 0;
    const max = Math.ceil(this.#view.length / this.#sectorSize) + 1;
    for (let sector = start; sector < endOfChain && parts.length < max && length < size; ) {
      const part = this.#sector(sector);
      if (part.length === 0) break;
      parts.push(part);
      length += part.length;
      sector = this.#table[sector] ?? endOfChain;
    }
    return Buffer.concat(parts).subarray(0, size);
  }

  #miniChain(start: number, size: number): Uint8Array {
    const parts: Uint8Array[] = [];
    const max = Math.ceil(this.#mini.length / this.#miniSize) + 1;
    let length = 0;
    for (let sector = start; sector < endOfChain && parts.length < max && length < size; ) {
      const part = this.#mini.subarray(sector * this.#miniSize, (sector + 1) * this.#miniSize);
      if (part.length === 0) break;
      parts.push(part);
      length += part.length;
      sector = this.#miniTable[sector] ?? endOfChain;
    }
    return Buffer.concat(parts).subarray(0, size);
  }

  /** The first stream of each name is used, one of the root itself before others; returns the root. */
  #readDirectory(bytes: Uint8Array): Entry | undefined {
    const view = new ByteView(bytes, true);
    const own = childrenOf(view, 0);
    const inside: [string, Entry][] = [];
    let root: Entry | undefined;
    for (let at = 0; at + 128 <= view.length && at < 128 * maxEntries; at += 128) {
      const kind = view.u8(at + 66);
      const length = Math.min(Math.max(view.u16(at + 64) - 2, 0), 62);
      const name = view.utf16(at, at + length);
      const entry = { start: view.u32(at + 116), size: view.u32(at + 120) };
      if (kind === 5) root ??= entry;
      else if (kind !== 2) continue;
      else if (!own.has(at / 128)) inside.push([name, entry]);
      else if (!this.#entries.has(name)) this.#entries.set(name, entry);
    }
    this.#own = new Set(this.#entries.keys());
    for (const [name, entry] of inside) if (!this.#entries.has(name)) this.#entries.set(name, entry);
    return root;
  }
}

/** The numbers of the entries right in a storage, which are a tree of siblings; loops end. */
function childrenOf(view: ByteView, storage: number): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [view.length >= 128 ? view.u32(128 * storage + 76) : endOfChain];
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    if (found.has(entry) || 128 * (entry + 1) > view.length) continue;
    found.add(entry);
    waiting.push(view.u32(128 * entry + 68), view.u32(128 * entry + 72));
  }
  return found;
}

function numbersOf(bytes: Uint8Array): number[] {
  const view = new ByteView(bytes, true);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => view.u32(4 * at));
}
