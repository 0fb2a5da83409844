import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Clock, isGarnerError } from '../../kernel/index.ts';
import {
  type Database,
  damagedCopies,
  damagedLog,
  damagedTables,
  damageIn,
  openDatabase,
  replaceFile,
  salvage,
} from '../database/index.ts';
import { storeErrors } from '../errors.ts';
import { storeMended } from '../events.ts';

const mendedFile = 'mended.json';

/** A damaged database that was made again from the rows that could be read. */
export interface MendedDatabase {
  /** Its folder in the data folder. */
  readonly name: string;
  readonly reason: string;
  /** Rows that could be read. */
  readonly rows: number;
}

/** The databases of a data folder that were damaged when they were opened, until their owner has made up for the loss. */
export class MendedDatabases {
  readonly #path: string;
  readonly #heals: boolean;
  #open: readonly MendedDatabase[];
  /** Those of this opening and those whose loss was not made up for before. */
  readonly all: MendedDatabase[];

  private constructor(path: string, heals: boolean, open: readonly MendedDatabase[]) {
    this.#path = path;
    this.#heals = heals;
    this.#open = open;
    this.all = [...open];
  }

  static async of(path: string, heals: boolean): Promise<MendedDatabases> {
    const text = await readFile(join(path, mendedFile), 'utf8').catch(() => '[]');
    let rows: readonly MendedDatabase[] = [];
    try {
      rows = JSON.parse(text) as readonly MendedDatabase[];
    } catch {
      // It was written as a whole: only damage makes it unreadable, and then every database counts as mended.
      rows = ['store', 'fetch'].map((name) => ({ name, reason: `${mendedFile} is damaged`, rows: 0 }));
    }
    return new MendedDatabases(path, heals, rows);
  }

  /** Whether the loss of this database is not made up for yet. */
  has(name: string): boolean {
    return this.#open.some((one) => one.name === name);
  }

  /** Open a database of the folder. A damaged one is made again from what can be read, or is STORE_DAMAGED. */
  async open(name: string, options: { readonly cacheBytes?: number }): Promise<Database> {
    const path = join(this.#path, name);
    try {
      return await openDatabase(path, options);
    } catch (error) {
      if (!this.#heals || !isGarnerError(error, storeErrors.STORE_DAMAGED)) throw error;
      const { reason } = error.data as { readonly reason: string };
      await this.mend(name, reason);
      return openDatabase(path, options);
    }
  }

  /** Make a database again from the rows that can be read. */
  async mend(name: string, reason: string): Promise<void> {
    // Before, so that a crash does not hide the loss.
    await this.#note([...this.#open.filter((one) => one.name !== name), { name, reason, rows: 0 }]);
    const rows = await salvage(join(this.#path, name));
    await this.#note([...this.#open.filter((one) => one.name !== name), { name, reason, rows }]);
    this.all.push({ name, reason, rows });
    storeMended.publish({ path: join(this.#path, name), reason, rows });
  }

  /** The losses are made up for. */
  async settled(): Promise<void> {
    if (this.#open.length > 0) await this.#note([]);
  }

  async #note(rows: readonly MendedDatabase[]): Promise<void> {
    this.#open = rows;
    if (rows.length === 0) await rm(join(this.#path, mendedFile), { force: true });
    else await replaceFile(join(this.#path, mendedFile), `${JSON.stringify(rows)}\n`);
  }
}

/** Names of the folders in a data folder that hold a database. */
export async function databasesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || /\.(?:mending|probe|damaged)$/.test(entry.name)) continue;
    const files = await readdir(join(path, entry.name));
    if (files.some((file) => /^(?:CURRENT|\d+\.(?:log|ldb))$/.test(file))) names.push(entry.name);
  }
  return names.sort();
}

/** The damaged files of these databases of a data folder, in use or not, as `store/000005.log`; nothing is changed. */
export async function damagedFiles(
  path: string,
  names: readonly string[],
  options: {
    readonly clock: Clock;
    readonly signal?: AbortSignal;
    /** A process has them open, and changes them meanwhile. */
    readonly inUse?: boolean;
  },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const folder = join(path, name);
    const tables: string[] = [];
    for await (const file of damagedTables(folder, options)) tables.push(`${name}/${file}`);
    const log = await damagedLog(folder);
    const other = options.inUse === true ? undefined : await damageIn(folder);
    if (log !== undefined) found.push(`${name}/${log}`);
    else if (other !== undefined && tables.length === 0) found.push(`${name}: ${other}`);
    found.push(...tables);
  }
  return found;
}

/** Small files that are written twice, because nothing can make them again. */
const keptFiles = ['identity.json', 'site.json', 'tokens.json'];

/** Those of a data folder's small files, and of their second copies, that are damaged. */
export async function damagedSmallFiles(path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of keptFiles)
    for (const file of await damagedCopies(join(path, name))) found.push(basename(file));
  return found;
}

/** Make databases of a folder without a holder again, whose damage an opening may not notice. */
export async function mendDatabases(path: string, files: readonly string[]): Promise<void> {
  const mended = await MendedDatabases.of(path, true);
  const names = new Set(files.map((file) => /^[^/:]+/.exec(file)?.[0] ?? ''));
  for (const name of names) {
    if (name === '' || name.startsWith('index')) continue;
    await mended.mend(name, files.filter((file) => file.startsWith(name)).join(', '));
  }
}
