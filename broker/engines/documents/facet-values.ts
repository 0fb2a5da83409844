import { valueKey, valueRange } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingWrite } from '../index-database/posting-database.ts';

/** The column of a value. */
export const FacetKind = { source: 0, type: 1 } as const;

/** Kinds from here on are counted attributes. Their values are sets, joined. */
export const firstAttributeKind = 2;

// 16 bits, with 0 for "none". Further values are counted as none; further sources share the last number.
const maxValues = 65_535;

/** Numbers the values by which objects are counted, so that a docno needs two bytes for each. */
export class FacetValues {
  readonly #names: string[][] = [];
  readonly #numbers: Map<string, number>[] = [];
  #unsaved: PostingWrite[] = [];

  static async load(database: PostingDatabase): Promise<FacetValues> {
    const values = new FacetValues();
    for await (const [key, value] of database.entries(valueRange)) {
      const number = (key[2] as number) * 256 + (key[3] as number);
      values.#set(key[1] as number, number, Buffer.from(value).toString());
    }
    return values;
  }

  #namesOf(kind: number): string[] {
    this.#names[kind] ??= [''];
    return this.#names[kind];
  }

  #numbersOf(kind: number): Map<string, number> {
    this.#numbers[kind] ??= new Map();
    return this.#numbers[kind];
  }

  #set(kind: number, number: number, name: string): void {
    this.#namesOf(kind)[number] = name;
    this.#numbersOf(kind).set(name, number);
  }

  /** How many numbers were assigned, including the one for none. */
  count(kind: number): number {
    return this.#namesOf(kind).length;
  }

  name(kind: number, number: number): string {
    return this.#namesOf(kind)[number] ?? '';
  }

  /** The number of a known value, or undefined. '' is 0, meaning no value; every object has a source. */
  number(kind: number, name: string): number | undefined {
    if (name === '' && kind !== FacetKind.source) return 0;
    return this.#numbersOf(kind).get(name);
  }

  /** Numbers of the values that `wanted` accepts. Checks every known value of the kind. */
  numbersWhere(kind: number, wanted: (name: string) => boolean): Set<number> {
    const found = new Set<number>();
    for (const [name, number] of this.#numbersOf(kind)) if (wanted(name)) found.add(number);
    return found;
  }

  /** The number of a value. A new one is assigned and must be written. '' is 0, except for sources. */
  assign(kind: number, name: string): number {
    const known = this.number(kind, name);
    if (known !== undefined) return known;
    const number = this.#namesOf(kind).length;
    if (number > maxValues) return kind === FacetKind.source ? maxValues : 0;
    this.#set(kind, number, name);
    this.#unsaved.push({ type: 'put', key: valueKey(kind, number), value: Buffer.from(name) });
    return number;
  }

  /** Writes of the values assigned since `saved` was last called. */
  get unsaved(): readonly PostingWrite[] {
    return this.#unsaved;
  }

  /** The writes are on disk. */
  saved(): void {
    this.#unsaved = [];
  }
}
