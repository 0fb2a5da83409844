/** How much the latest answer counts. */
const weight = 0.25;

/** Fewer numbers than these tell nothing. */
const minNumbers = 8;

/**
 * What a store learns from its own answers: how many objects there are to tell for so many numbers of its log. An
 * object that changes ten times a round takes ten numbers and is told once.
 */
export class ChangeHistory {
  #objectsPerNumber = 1;

  get objectsPerNumber(): number {
    return this.#objectsPerNumber;
  }

  /** A log of this length was told in so many elements. */
  told(numbers: number, elements: number): void {
    if (numbers < minNumbers) return;
    const now = Math.min(1, elements / numbers);
    this.#objectsPerNumber += weight * (now - this.#objectsPerNumber);
  }
}
