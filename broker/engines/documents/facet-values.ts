import { valueKey, valueRange } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingWrite } from '../index-database/posting-database.ts';

/** Which column a value belongs to. */
export const FacetKind = { source: 0, type: 1 } as const;

/** Kinds from here on are counted attributes: their values are sets, joined. */
export const firstAttributeKind = 2;

// 16 bits, 0 taken for "none". Values beyond this many are counted as none, sources share the last number.
const maxValues = 65_535;

/** Numbers for the values that objects are counted by, so that a docno needs two bytes for each. Never shrinks. */
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

  /** How many numbers were given out, that for none among them. */
  count(kind: number): number {
    return this.#namesOf(kind).length;
  }

  name(kind: number, number: number): string {
    return this.#namesOf(kind)[number] ?? '';
  }

  /** The number of a known value, or undefined. '' is 0, for objects without one; but every object has a source. */
  number(kind: number, name: string): number | undefined {
    if (name === '' && kind !== FacetKind.source) return 0;
    return this.#numbersOf(kind).get(name);
  }

  /** Numbers of the values that `wanted` holds for. Looks at every known value of the kind. */
  numbersWhere(kind: number, wanted: (name: string) => boolean): Set<number> {
    const found = new Set<number>();
    for (const [name, number] of this.#numbersOf(kind)) if (wanted(name)) found.add(number);
    return found;
  }

  /** The number of a value; a new one is given out and has to be written. '' is 0 but for sources. */
  assign(kind: number, name: string): number {
    const known = this.number(kind, name);
    if (known !== undefined) return known;
    const number = this.#namesOf(kind).length;
    if (number > maxValues) return kind === FacetKind.source ? maxValues : 0;
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
