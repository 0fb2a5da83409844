import { beginning, oneLine } from '../text/index.ts';

/** The type of a column's values, most specific first. */
export type ColumnType = 'empty' | 'integer' | 'number' | 'boolean' | 'date' | 'text';

const integer = /^[+-]?\d{1,18}$/;
const decimal = /^[+-]?(?:\d{1,18}(?:[.,]\d{0,18})?|[.,]\d{1,18})(?:[eE][+-]?\d{1,4})?$/;
const truth = /^(?:true|false|yes|no)$/i;
const date =
  /^\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$/;
const nothing = /^(?:|na|n\/a|null|none|nan|-)$/i;
const maxExample = 60;

/** Collects the type and range of the values of one column. */
export class ColumnProfile {
  readonly name: string;
  #type: ColumnType = 'empty';
  #min: number | undefined;
  #max: number | undefined;
  #first: string | undefined;
  #last: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  get type(): ColumnType {
    return this.#type;
  }

  add(value: string): void {
    const text = value.length > 200 ? value.slice(0, 200) : value;
    const trimmed = text.trim();
    if (nothing.test(trimmed)) return;
    this.#type = widened(this.#type, typeOf(trimmed));
    if (this.#type === 'integer' || this.#type === 'number') {
      const number = Number(trimmed.replace(',', '.'));
      if (this.#min === undefined || number < this.#min) this.#min = number;
      if (this.#max === undefined || number > this.#max) this.#max = number;
    }
    if (this.#type === 'text' || this.#type === 'date') {
      if (this.#first === undefined || trimmed < this.#first) this.#first = trimmed;
      if (this.#last === undefined || trimmed > this.#last) this.#last = trimmed;
    }
  }

  /** `name: type, least to most`. */
  describe(): string {
    const name = beginning(oneLine(this.name), 200);
    const range = this.#range();
    return range === '' ? `${name}: ${this.#type}` : `${name}: ${this.#type}, ${range}`;
  }

  #range(): string {
    if (this.#type === 'integer' || this.#type === 'number')
      return this.#min === this.#max ? `${this.#min}` : `${this.#min} to ${this.#max}`;
    if (this.#type !== 'date' && this.#type !== 'text') return '';
    const [first, last] = [this.#first, this.#last].map((text) => beginning(oneLine(text ?? ''), maxExample));
    return first === last ? `${first}` : `${first} to ${last}`;
  }
}

function typeOf(text: string): ColumnType {
  if (integer.test(text)) return 'integer';
  if (decimal.test(text)) return 'number';
  if (truth.test(text)) return 'boolean';
  return date.test(text) ? 'date' : 'text';
}

function widened(known: ColumnType, next: ColumnType): ColumnType {
  if (known === 'empty' || known === next) return next;
  const numbers = known === 'integer' || known === 'number';
  return numbers && (next === 'integer' || next === 'number') ? 'number' : 'text';
}
