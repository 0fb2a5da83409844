import { close, open } from 'node:fs';
import { promisify } from 'node:util';

const openFile = promisify(open);
const closeFile = promisify(close);

interface OpenFile {
  readonly descriptor: Promise<number>;
  users: number;
  /** To be closed by its last user: a descriptor closed during use could then belong to another file. */
  unwanted: boolean;
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

/** Descriptors of a store's files; max `max` of them stay open while unused. */
export class OpenFiles {
  /** By path, the least recently used first. */
  readonly #open = new Map<string, OpenFile>();
  readonly #max: number;
  /** The path used last, which is already at the end. */
  #latest = '';
  #isClosed = false;

  constructor(max = 128) {
    this.#max = max;
  }

  /** Use a file's descriptor, which then stays open. `flags` apply when it is opened. */
  async use<Result>(
    path: string,
    flags: number,
    work: (descriptor: number) => Promise<Result>,
  ): Promise<Result> {
    let file = this.#open.get(path);
    if (this.#isClosed) throw Object.assign(new Error('the store is closed'), { code: 'ECANCELED' });
    if (file === undefined) {
      while (this.#open.size >= this.#max && this.#closeIdle());
      file = { descriptor: this.#openNow(path, flags), users: 0, unwanted: false };
      this.#open.set(path, file);
    } else if (this.#latest !== path) {
      this.#open.delete(path);
      this.#open.set(path, file);
    }
    this.#latest = path;
    file.users++;
    try {
      const descriptor = await file.descriptor.catch((error: unknown) => {
        // A file that could not be opened is tried again next time.
        if (this.#open.get(path) === file) this.#open.delete(path);
        throw error;
      });
      return await work(descriptor);
    } finally {
      file.users--;
      if (file.unwanted && file.users === 0) await closed(file);
    }
  }

  /** Close a file after its last use. */
  async close(path: string): Promise<void> {
    const file = this.#open.get(path);
    if (file === undefined) return;
    this.#open.delete(path);
    file.unwanted = true;
    if (file.users === 0) await closed(file);
  }

  /** Close all, and open no more. */
  async closeAll(): Promise<void> {
    this.#isClosed = true;
    for (const path of [...this.#open.keys()]) await this.close(path);
  }

  async #openNow(path: string, flags: number): Promise<number> {
    try {
      return await openFile(path, flags, 0o600);
    } catch (error) {
      // Too many open files: close the idle ones.
      if (codeOf(error) !== 'EMFILE' && codeOf(error) !== 'ENFILE') throw error;
      const idle = [...this.#open].filter(([, file]) => file.users === 0);
      for (const [other] of idle) await this.close(other);
      return await openFile(path, flags, 0o600);
    }
  }

  #closeIdle(): boolean {
    for (const [path, file] of this.#open) {
      if (file.users > 0) continue;
      void this.close(path);
      return true;
    }
    return false;
  }
}

async function closed(file: OpenFile): Promise<void> {
  await file.descriptor.then(closeFile).catch(() => undefined);
}
