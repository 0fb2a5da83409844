interface Slot<Task, Outcome> {
  readonly task: Task;
  outcome?: { readonly value: Outcome } | { readonly error: unknown };
}

/** Readings in flight, with results in order; reading ahead is limited in number and, roughly, in bytes. */
export class FetchWindow<Task, Outcome> {
  readonly #read: (task: Task) => Promise<Outcome>;
  readonly #sizeOf: (outcome: Outcome) => number;
  readonly #concurrency: number;
  readonly #maxBytes: number;
  readonly #slots: Slot<Task, Outcome>[] = [];
  #active = 0;
  #bytes = 0;
  #wake: () => void = () => undefined;

  constructor(options: {
    readonly read: (task: Task) => Promise<Outcome>;
    readonly sizeOf: (outcome: Outcome) => number;
    readonly concurrency: number;
    /** No reading begins while more bytes than this are read ahead. */
    readonly maxBytes: number;
  }) {
    this.#read = options.read;
    this.#sizeOf = options.sizeOf;
    this.#concurrency = options.concurrency;
    this.#maxBytes = options.maxBytes;
  }

  get empty(): boolean {
    return this.#slots.length === 0;
  }

  /** Whether another reading may begin. */
  get open(): boolean {
    // Up to four times as many may wait for a slow reading at the head before the others pause too.
    const room = this.#slots.length < this.#concurrency * 4 && this.#bytes < this.#maxBytes;
    return room && this.#active < this.#concurrency;
  }

  begin(task: Task): void {
    const slot: Slot<Task, Outcome> = { task };
    this.#slots.push(slot);
    this.#active += 1;
    void this.#read(task)
      .then(
        (value) => {
          this.#bytes += this.#sizeOf(value);
          slot.outcome = { value };
        },
        (error: unknown) => {
          slot.outcome = { error };
        },
      )
      .then(() => {
        this.#active -= 1;
        this.#wake();
      });
  }

  /** The oldest reading, or undefined while it is in flight but another may begin. Throws its error. */
  async next(): Promise<{ readonly task: Task; readonly outcome: Outcome } | undefined> {
    const head = this.#slots[0];
    if (!head) return undefined;
    if (!head.outcome)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (!head.outcome) return undefined;
    this.#slots.shift();
    if ('error' in head.outcome) throw head.outcome.error;
    this.#bytes -= this.#sizeOf(head.outcome.value);
    return { task: head.task, outcome: head.outcome.value };
  }

  /** Resolves when nothing is in flight any more. */
  async settled(): Promise<void> {
    while (this.#active > 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }
}
