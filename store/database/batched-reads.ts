import type { DatabaseReader } from './database.ts';

type Values = (Uint8Array | undefined)[];

interface Wish {
  readonly keys: readonly Uint8Array[];
  readonly resolve: (values: Values) => void;
  readonly reject: (error: unknown) => void;
}

/** Several threads read batches above this size. */
const maxKeys = 256;

/** Reads together the keys requested in one turn of the event loop: an access costs more than its rows. */
export class BatchedReads implements Pick<DatabaseReader, 'getMany'> {
  readonly #rows: Pick<DatabaseReader, 'getMany'>;
  #wishes: Wish[] = [];

  constructor(rows: Pick<DatabaseReader, 'getMany'>) {
    this.#rows = rows;
  }

  getMany(keys: readonly Uint8Array[]): Promise<Values> {
    if (keys.length >= maxKeys) return this.#rows.getMany(keys);
    return new Promise((resolve, reject) => {
      // After every promise that is settled by now has continued.
      if (this.#wishes.length === 0) process.nextTick(() => this.#readAll());
      this.#wishes.push({ keys, resolve, reject });
    });
  }

  #readAll(): void {
    const wishes = this.#wishes;
    this.#wishes = [];
    let part: Wish[] = [];
    let count = 0;
    for (const wish of wishes) {
      if (count + wish.keys.length > maxKeys) {
        void this.#read(part);
        [part, count] = [[], 0];
      }
      part.push(wish);
      count += wish.keys.length;
    }
    void this.#read(part);
  }

  async #read(wishes: readonly Wish[]): Promise<void> {
    try {
      const values = await this.#rows.getMany(wishes.flatMap(({ keys }) => keys));
      let at = 0;
      for (const { keys, resolve } of wishes) {
        resolve(values.slice(at, at + keys.length));
        at += keys.length;
      }
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }
}
