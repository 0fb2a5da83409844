/** Which terms a summary in the making holds already. */
export class Coverage {
  /** 1 at the identifiers of the terms that are held. */
  readonly held: Uint8Array;

  constructor(terms: number) {
    this.held = new Uint8Array(terms);
  }

  add(terms: Iterable<number>): void {
    for (const term of terms) this.held[term] = 1;
  }
}
