import { open, readFile, rename, stat } from 'node:fs/promises';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';

/** A file that has grown to this many bytes is put away and a new one begun. */
const fileBytes = 1024 * 1024;

/** Files kept beside the one that grows: `audit.jsonl.1` is the newest of them. */
const oldFiles = 4;

/** A file of JSON lines that only grows at its end; each line is on disk for good before it counts as written. */
export class AuditFile {
  readonly path: string;
  #bytes: number;
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(path: string, bytes: number) {
    this.path = path;
    this.#bytes = bytes;
  }

  /** Open it, made when something is written. A line that a crash cut short stays for itself. */
  static async open(path: string): Promise<AuditFile> {
    const text = await readFile(path, 'utf8').catch(() => '');
    const file = new AuditFile(path, Buffer.byteLength(text));
    if (text !== '' && !text.endsWith('\n')) await file.#append('\n');
    return file;
  }

  /** Throws BROKER_AUDIT when the line cannot be written. */
  write(line: unknown): Promise<void> {
    const result = this.#turn.then(async () => {
      try {
        if (this.#bytes >= fileBytes) await this.#rotate();
        await this.#append(`${JSON.stringify(line)}\n`);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        throw failure(brokerErrors.BROKER_AUDIT, { path: this.path, problem }, error);
      }
    });
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** Every line that is kept, newest first; what cannot be read is passed over. */
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
