/** Max contents whose first address is known at a time; the oldest is forgotten first. */
const maxContents = 50_000;

/** The address under which each content was met first in a run. */
export class EqualContents {
  readonly #first = new Map<string, string>();

  /** The address of a content; undefined when it is new, forgotten or empty. */
  first(md5: string | undefined): string | undefined {
    return md5 === undefined ? undefined : this.#first.get(md5);
  }

  /** Note the address of a content. */
  claim(md5: string | undefined, url: string): void {
    // Two empty documents are not the same document.
    if (md5 === undefined || md5 === emptyMd5) return;
    this.#first.set(md5, url);
    if (this.#first.size <= maxContents) return;
    const oldest = this.#first.keys().next().value;
    if (oldest !== undefined) this.#first.delete(oldest);
  }
}

const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e';
