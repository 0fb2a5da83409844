import { basename, join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { damagedTables } from '../database/index.ts';
import { damageMet, tablesDamaged } from '../events.ts';

/** Damaged files that are remembered. */
const maxDamaged = 100;

/** What is known of the tables of the databases that a server has open, an index that repairs itself apart. */
export interface TableState {
  /** Whether each table was read since the server started. */
  readonly isChecked: boolean;
  /** As `store/000005.ldb`; a database alone where a read of it met damage. */
  readonly damaged: readonly string[];
}

/**
 * Reads the tables of open databases once, at a bounded rate: opening reads only the first 4 MiB, and LevelDB notices
 * damage only when it uses a block. Notes what reads meet, too. Disposing stops it.
 */
export class TableWatch implements AsyncDisposable {
  readonly #stopping = new AbortController();
  readonly #damaged = new Set<string>();
  readonly #stopWatching: () => void;
  readonly #path: string;
  readonly #reading: Promise<void>;
  #isChecked = false;

  constructor(path: string, names: readonly string[], clock: Clock) {
    this.#path = path;
    const wanted = names.filter((name) => !name.startsWith('index'));
    const of = (met: string) => wanted.find((name) => met.startsWith(join(path, name)));
    this.#stopWatching = damageMet.subscribe((met) => {
      const name = of(met.path);
      if (name !== undefined) this.#note(name);
    });
    this.#reading = this.#read(wanted, clock).catch(() => undefined);
  }

  get state(): TableState {
    return { isChecked: this.#isChecked, damaged: [...this.#damaged] };
  }

  /** Resolves when the tables are read, or it is stopped. */
  get read(): Promise<void> {
    return this.#reading;
  }

  async #read(names: readonly string[], clock: Clock): Promise<void> {
    const { signal } = this.#stopping;
    for (const name of names)
      for await (const file of damagedTables(join(this.#path, name), { clock, signal }))
        this.#note(join(name, basename(file)));
    this.#isChecked = true;
  }

  #note(file: string): void {
    if (this.#damaged.has(file) || this.#damaged.size >= maxDamaged) return;
    this.#damaged.add(file);
    tablesDamaged.publish({ path: this.#path, files: [file] });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#stopWatching();
    await this.#reading;
  }
}
