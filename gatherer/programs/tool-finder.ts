import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Finds helping programs on the machine. */
export class ToolFinder {
  readonly #folders: readonly string[];
  readonly #found = new Map<string, string | undefined>();

  /** `path`: folders as in PATH; an empty text finds nothing. */
  constructor(path = process.env.PATH ?? '') {
    this.#folders = path.split(delimiter).filter((folder) => folder !== '');
  }

  /** The program's full name, or undefined; looked for once. */
  find(program: string): string | undefined {
    if (!this.#found.has(program))
      this.#found.set(
        program,
        this.#folders.map((folder) => join(folder, program)).find((file) => isExecutable(file)),
      );
    return this.#found.get(program);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
