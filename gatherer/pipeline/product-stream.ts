import type { Product } from './product.ts';

/** The products of one document; the first can be awaited separately. */
export class ProductStream implements AsyncIterable<Product> {
  readonly #iterator: AsyncIterator<Product>;
  #first: Promise<IteratorResult<Product>> | undefined;

  constructor(products: AsyncIterable<Product>) {
    this.#iterator = products[Symbol.asyncIterator]();
  }

  /** Start the work. */
  start(): void {
    void this.#start();
  }

  /** Start the work; resolves to the first product, or undefined when there is none. */
  async begin(): Promise<Product | undefined> {
    const { done, value } = await this.#start();
    return done === true ? undefined : value;
  }

  /** All products, including the first. Read them once. */
  async *[Symbol.asyncIterator](): AsyncIterator<Product> {
    try {
      for (let result = await this.#start(); result.done !== true; result = await this.#iterator.next())
        yield result.value;
    } finally {
      await this.#iterator.return?.();
    }
  }

  /** End the work without reading the rest; never rejects. */
  async close(): Promise<void> {
    await this.#iterator.return?.().catch(() => undefined);
  }

  #start(): Promise<IteratorResult<Product>> {
    if (this.#first === undefined) {
      this.#first = this.#iterator.next();
      // The reader of the products gets the error.
      this.#first.catch(() => undefined);
    }
    return this.#first;
  }
}
