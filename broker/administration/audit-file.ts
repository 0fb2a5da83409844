import { open, readFile, rename, stat } from 'node:fs/promises';
import { failure, TaskQueue } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';

/** A file of this size is renamed and a new one is started; bytes. */
const fileBytes = 1024 * 1024;

/** Older files that stay beside the current one: `audit.jsonl.1` is the newest of them. */
const oldFiles = 4;

/** An append-only file of JSON lines. A line counts as written once it is safely on disk. */
export class AuditFile {
  readonly path: string;
  #bytes: number;
  readonly #writes = new TaskQueue();

  private constructor(path: string, bytes: number) {
    this.path = path;
    this.#bytes = bytes;
  }

  /** Open it; the first write creates the file. A line cut short by a crash stays a line of its own. */
  static async open(path: string): Promise<AuditFile> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const file = new AuditFile(path, Buffer.byteLength(text));
    if (text !== '' && !text.endsWith('\n')) await file.#append('\n');
    return file;
  }

  /** Throws BROKER_AUDIT when the line cannot be written. */
  write(line: unknown): Promise<void> {
    return this.#writes.run(async () => {
      try {
        if (this.#bytes >= fileBytes) await this.#rotate();
        await this.#append(`${JSON.stringify(line)}\n`);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw failure(brokerErrors.BROKER_AUDIT, { path: this.path, problem }, error);
      }
    });
  }

  /** Every stored line, newest first. Unreadable lines are skipped. */
  async *newestFirst(): AsyncIterable<unknown> {
    for (const path of [this.path, ...this.#old()]) {
      const text = await readFile(path, 'utf8').catch(() => '');
      for (const line of text.split('\n').reverse()) {
        if (line === '') continue;
        try {
          yield JSON.parse(line);
        } catch {
          // A crash cut it short.
        }
      }
    }
  }

  #old(): string[] {
    return Array.from({ length: oldFiles }, (_, at) => `${this.path}.${at + 1}`);
  }

  async #append(text: string): Promise<void> {
    const handle = await open(this.path, 'a', 0o600);
    try {
      await handle.writeFile(text);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    this.#bytes += Buffer.byteLength(text);
  }

  async #rotate(): Promise<void> {
    const names = [this.path, ...this.#old()];
    for (let at = names.length - 1; at > 0; at--) {
      const from = names[at - 1] as string;
      if (await stat(from).catch(() => undefined)) await rename(from, names[at] as string);
    }
    this.#bytes = 0;
  }
}
