/** The parts that a server has opened, closed in the opposite order. */
export class DisposalStack implements AsyncDisposable {
  readonly #parts: (Disposable | AsyncDisposable)[] = [];

  /** Hold a part until the end. */
  keep<Part extends Disposable | AsyncDisposable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop())
      if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
      else part[Symbol.dispose]();
  }
}
