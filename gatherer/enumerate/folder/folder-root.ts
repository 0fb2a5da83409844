import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { failure, type GarnerError } from '../../../kernel/index.ts';
import { gathererErrors } from '../../errors.ts';
import type { Enumerated, EnumerationMemory } from '../enumerator.ts';
import { DiskPace } from './disk-pace.ts';
import { unreadable } from './folder-walk.ts';

/** If a suddenly empty folder has this many summaries, its disk is probably not mounted. */
const manyHeld = 100;

/** The root folder itself, whose device is remembered between runs. */
export class FolderRoot {
  readonly #path: string;
  readonly #baseUrl: string;
  readonly #allowEmpty: boolean;
  readonly #pace: DiskPace;

  constructor(path: string, baseUrl: string, allowEmpty: boolean, pace = new DiskPace()) {
    this.#path = path;
    this.#baseUrl = baseUrl;
    this.#allowEmpty = allowEmpty;
    this.#pace = pace;
  }

  /** The folder as an item of its own, for the next run to compare. Throws GATHERER_UNREADABLE. */
  async item(): Promise<Enumerated> {
    const remember = { stamp: await this.#device(), links: [], sitemaps: [] };
    return { url: this.#row, depth: 0, kind: 'sitemap', remember };
  }

  /** The reason to doubt that every document of the folder was deleted, or undefined. */
  async doubt(memory: EnumerationMemory): Promise<GarnerError | undefined> {
    const device = await this.#device().catch((error: GarnerError) => error);
    if (typeof device !== 'string') return device;
    if (this.#allowEmpty || memory.known === undefined) return undefined;
    let held = 0;
    for await (const _ of memory.known(this.#baseUrl)) held++;
    const before = (await memory.recall(this.#row))?.stamp;
    const moved = before !== undefined && before !== device;
    if (held < (moved ? 1 : manyHeld)) return undefined;
    return failure(gathererErrors.GATHERER_FOLDER_EMPTY, { path: this.#path, held });
  }

  /** The item of a doubted root: nothing is known of its documents. */
  failed(error: GarnerError): Enumerated {
    return { url: this.#baseUrl, depth: 0, kind: 'failed', error, whole: true };
  }

  get #row(): string {
    return `${this.#baseUrl}#folder`;
  }

  async #device(): Promise<string> {
    try {
      const { dev } = this.#pace.isSlow
        ? await stat(this.#path, { bigint: true })
        : this.#pace.timed(() => statSync(this.#path, { bigint: true }));
      return dev.toString(36);
    } catch (error) {
      throw unreadable(this.#path, error);
    }
  }
}
