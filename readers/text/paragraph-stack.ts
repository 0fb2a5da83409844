const maxLength = 1024 * 1024;
const maxDepth = 200;

/** Text of paragraphs that may hold others, such as notes; nesting and lengths are bounded. */
export class ParagraphStack {
  readonly #open: string[] = [];
  #beyond = 0;

  begin(): void {
    if (this.#open.length < maxDepth) this.#open.push('');
    else this.#beyond++;
  }

  /** Add text to the innermost paragraph; outside of any it is dropped. */
  add(text: string): void {
    const last = this.#open.length - 1;
    const before = this.#open[last];
    if (before !== undefined && before.length < maxLength) this.#open[last] = before + text;
  }

  /** End the innermost paragraph and return its text. */
  end(): string {
    if (this.#beyond > 0) {
      this.#beyond--;
      return '';
    }
    return this.#open.pop() ?? '';
  }

  get empty(): boolean {
    return this.#open.length === 0;
  }
}
