import { valueKey, valueRange } from './index-keys.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';

/** Which column a value belongs to. */
export const FacetKind = { source: 0, type: 1 } as const;
type Kind = (typeof FacetKind)[keyof typeof FacetKind];

// 16 bits, 0 taken for "none". Types beyond this many are counted as none, sources share the last number.
const maxValues = 65_535;

/** Numbers for the sources and types that objects have, so that a docno needs two bytes for each. Never shrinks. */
export class FacetValues {
  readonly #names: [string[], string[]] = [[''], ['']];
  readonly #numbers: [Map<string, number>, Map<string, number>] = [new Map(), new Map()];
  #unsaved: PostingWrite[] = [];

  static async load(database: PostingDatabase): Promise<FacetValues> {
    const values = new FacetValues();
    for await (const [key, value] of database.entries(valueRange)) {
      const kind = (key[1] === FacetKind.source ? FacetKind.source : FacetKind.type) satisfies Kind;
      const number = (key[2] as number) * 256 + (key[3] as number);
      values.#set(kind, number, Buffer.from(value).toString());
    }
    return values;
  }

  #set(kind: Kind, number: number, name: string): void {
    this.#names[kind][number] = name;
    this.#numbers[kind].set(name, number);
  }

  /** How many numbers were given out, that for none among them. */
  count(kind: Kind): number {
    return this.#names[kind].length;
  }

  name(kind: Kind, number: number): string {
    return this.#names[kind][number] ?? '';
  }

  /** The number of a known value, or undefined. '' is 0 for types: objects without one. */
  number(kind: Kind, name: string): number | undefined {
    if (name === '' && kind === FacetKind.type) return 0;
    return this.#numbers[kind].get(name);
  }

  /** The number of a value; a new one is given out and has to be written. '' is 0 for types. */
  assign(kind: Kind, name: string): number {
    if (name === '' && kind === FacetKind.type) return 0;
    const known = this.#numbers[kind].get(name);
    if (known !== undefined) return known;
    const number = this.#names[kind].length;
    if (number > maxValues) return kind === FacetKind.type ? 0 : maxValues;
    this.#set(kind, number, name);
    this.#unsaved.push({ type: 'put', key: valueKey(kind, number), value: Buffer.from(name) });
    return number;
  }

  /** Writes of the values given out since `saved` was last called. */
  get unsaved(): readonly PostingWrite[] {
    return this.#unsaved;
  }

  /** The writes are on disk. */
  saved(): void {
    this.#unsaved = [];
  }
}
