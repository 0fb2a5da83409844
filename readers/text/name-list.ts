import type { Field } from '../document/index.ts';
import { beginning, oneLine } from './clean-text.ts';

const maxName = 500;

/** Names in their order, each once, up to a number of names and of characters. */
export class NameList {
  readonly #names = new Set<string>();
  readonly #maxNames: number;
  readonly #maxLength: number;
  #length = 0;
  #cut = false;

  constructor(maxNames = 5000, maxLength = 128 * 1024) {
    this.#maxNames = maxNames;
    this.#maxLength = maxLength;
  }

  /** Whether names were left out. */
  get cut(): boolean {
    return this.#cut;
  }

  get size(): number {
    return this.#names.size;
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    const line = oneLine(beginning(name, maxName));
    if (line === '' || this.#names.has(line)) return;
    if (this.#names.size >= this.#maxNames || this.#length + line.length >= this.#maxLength) this.#cut = true;
    else {
      this.#names.add(line);
      this.#length += line.length + 1;
    }
  }

  /** An attribute with one name on each line. */
  field(attribute: string): Field {
    return [attribute, this.names.join('\n')];
  }
}
