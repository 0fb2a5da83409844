import type { Product } from './product.ts';

/** The products of one document; the first can be waited for before the others are wanted. */
export class ProductStream implements AsyncIterable<Product> {
  readonly #iterator: AsyncIterator<Product>;
  #first: Promise<IteratorResult<Product>> | undefined;

  constructor(products: AsyncIterable<Product>) {
    this.#iterator = products[Symbol.asyncIterator]();
  }

  /** Let the work begin. */
  start(): void {
    void this.#start();
  }

  /** Let the work begin; resolves to the first product, or undefined when there is none. */
  async begin(): Promise<Product | undefined> {
    const { done, value } = await this.#start();
    return done === true ? undefined : value;
  }

  /** All products, the first included. To be read once. */
  async *[Symbol.asyncIterator](): AsyncIterator<Product> {
    try {
      for (let result = await this.#start(); result.done !== true; result = await this.#iterator.next())
        yield result.value;
    } finally {
      await this.#iterator.return?.();
    }
  }

  /** Let go of what is under way, as when nobody will read it; never rejects. */
  async close(): Promise<void> {
    await this.#iterator.return?.().catch(() => undefined);
  }

  #start(): Promise<IteratorResult<Product>> {
    if (this.#first === undefined) {
      this.#first = this.#iterator.next();
      // Whoever reads the products hears of it.
      this.#first.catch(() => undefined);
    }
    return this.#first;
  }
}
