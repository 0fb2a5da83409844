import { nearest } from '../../kernel/index.ts';
import type { KnownAttributes } from '../../query/index.ts';
import { Attributes, baseName, type SummaryObject } from '../../soif/index.ts';
import { type Database, type Write, within } from '../../store/index.ts';

/** More names are not kept: one source could send any number of them. */
const maxNames = 10_000;
const maxLength = 128;

/** Names in lower case that are attributes even where no object has them. */
const always: ReadonlyMap<string, string> = new Map(
  [...Object.values(Attributes), 'URL', 'view'].map((name) => [name.toLowerCase(), name]),
);

const embedPrefix = /^(?:embed<\d{1,9}>-)+/;
const plainName = (name: string) => baseName(name).replace(embedPrefix, '');

const key = (name: string) => Buffer.from(name);
// No attribute has this name.
const wholeKey = key('\0whole');

/**
 * The names of the attributes that indexed objects have or had since the index was last built. Other words before a colon
 * in a query are text.
 */
export class AttributeNames implements KnownAttributes {
  readonly #rows: Database;
  /** As they are written, by name in lower case. */
  readonly #names = new Map<string, string>();
  #fresh: string[] = [];
  #isWhole = false;

  private constructor(rows: Database) {
    this.#rows = rows;
  }

  static async open(database: Database): Promise<AttributeNames> {
    const known = new AttributeNames(within(database, 'attribute'));
    for await (const rows of known.#rows.entryBatches())
      for (const [name, written] of rows) {
        if (Buffer.compare(name, wholeKey) === 0) known.#isWhole = true;
        else known.#names.set(Buffer.from(name).toString(), Buffer.from(written).toString());
      }
    return known;
  }

  /** Whether the names of all indexed objects are known. Until then every name may be one. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  has(name: string): boolean {
    const plain = plainName(name);
    return !this.#isWhole || always.has(plain) || this.#names.has(plain);
  }

  nearest(name: string): string | undefined {
    const isClose = (other: string) => Math.abs(other.length - name.length) <= name.length / 3;
    return nearest(name, [...always.values(), ...this.#names.values()].filter(isClose));
  }

  /** Keep the names of an object in memory until `flush`. */
  note({ attributes }: SummaryObject): void {
    for (const { name } of attributes) {
      const plain = plainName(name);
      if (always.has(plain) || this.#names.has(plain) || plain.length > maxLength) continue;
      if (this.#names.size >= maxNames) return;
      this.#names.set(plain, name.replace(/-\d{1,9}$/, '').replace(/^(?:Embed<\d{1,9}>-)+/i, ''));
      this.#fresh.push(plain);
    }
  }

  async flush(): Promise<void> {
    const fresh = this.#fresh;
    this.#fresh = [];
    const put = (name: string): Write => ({
      type: 'put',
      key: key(name),
      value: key(this.#names.get(name) ?? name),
    });
    if (fresh.length > 0) await this.#rows.batch(fresh.map(put));
  }

  /** Forget all names, because the index is made again from its first object. */
  async restart(): Promise<void> {
    const old = [...this.#names.keys()].map((name): Write => ({ type: 'del', key: key(name) }));
    this.#names.clear();
    this.#fresh = [];
    await this.#rows.batch(old);
    await this.complete();
  }

  /** From now on the names are whole. */
  async complete(): Promise<void> {
    await this.flush();
    await this.#rows.batch([{ type: 'put', key: wholeKey, value: key('1') }]);
    this.#isWhole = true;
  }
}
