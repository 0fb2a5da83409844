import { failure } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';
import type { Entry, EntryWriter } from '../model/entry.ts';
import { type EntryPlan, fitsPlan } from '../model/stored-entry.ts';
import { WrittenChunks } from '../model/written-chunks.ts';

interface Home {
  /** Take `bytes` more of the budget; false when there is no room. */
  reserve(bytes: number): boolean;
  release(bytes: number): void;
  add(content: Uint8Array): Entry | undefined;
}

export class MemoryWriter implements EntryWriter {
  readonly #plan: EntryPlan;
  readonly #home: Home;
  readonly #chunks = new WrittenChunks();
  readonly #largest: number;
  #state: 'open' | 'committed' | 'aborted' = 'open';
  #committed: Entry | undefined;

  constructor(plan: EntryPlan, home: Home, largest: number) {
    this.#plan = plan;
    this.#home = home;
    this.#largest = largest;
  }

  get written(): number {
    return this.#chunks.bytes;
  }

  append(chunk: Uint8Array): boolean {
    if (this.#state !== 'open') return false;
    if (this.written + chunk.length > this.#largest || !this.#home.reserve(chunk.length)) {
      this.abort();
      return false;
    }
    this.#chunks.append(chunk);
    return true;
  }

  async readBack(offset: number, max: number): Promise<Uint8Array> {
    if (this.#state === 'aborted') throw failure(cacheErrors.CACHE_GONE, { key: this.#plan.key });
    return this.#chunks.readBack(offset, max);
  }

  async commit(): Promise<Entry | undefined> {
    if (this.#state !== 'open') return this.#committed;
    if (!fitsPlan(this.#plan, this.written)) {
      this.abort();
      return undefined;
    }
    this.#state = 'committed';
    this.#home.release(this.written);
    this.#committed = this.#home.add(this.#chunks.join());
    return this.#committed;
  }

  abort(): void {
    if (this.#state !== 'open') return;
    this.#state = 'aborted';
    this.#home.release(this.written);
  }
}
