/** A queue between the two sides; undefined is its end. */
export class Pipe<Item> {
  readonly #items: Item[] = [];
  #ended = false;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async next(): Promise<Item | undefined> {
    while (this.#items.length === 0 && !this.#ended)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#items.shift();
  }
}

/** The items of lists, one after the other. */
export async function* each<Item>(lists: AsyncIterable<readonly Item[]>): AsyncIterable<Item> {
  for await (const list of lists) yield* list;
}
