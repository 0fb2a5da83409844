import type { Field } from '../../readers/document/index.ts';
import { baseName, multiValue } from '../../soif/index.ts';

/** Builds a list of attributes: a repeated name becomes several values, `Author-1`, `Author-2` ... */
export class FieldList {
  // In the order in which attributes first came.
  readonly #values = new Map<string, Field[]>();
  #count = 0;

  /** Values added so far. */
  get count(): number {
    return this.#count;
  }

  /** Add a value; an empty one means that the attribute has none. */
  add(name: string, value: string): void {
    const key = baseName(name);
    const values = this.#values.get(key);
    this.#count++;
    if (values === undefined) this.#values.set(key, [[name, value]]);
    else values.push([name, value]);
  }

  /** Every attribute once, the values of one together. */
  get fields(): readonly Field[] {
    return [...this.#values.values()].flatMap(numbered);
  }
}

function numbered(values: readonly Field[]): readonly Field[] {
  const names = new Set(values.map(([name]) => name.toLowerCase()));
  if (names.size === values.length) return values;
  const [first] = values;
  if (first === undefined) return [];
  const base = first[0].slice(0, baseName(first[0]).length);
  // A repeated value is one value.
  return multiValue(base, [...new Set(values.map(([, value]) => value))]);
}
