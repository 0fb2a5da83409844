import { type Element, elementsByName, Region } from './html-elements.ts';

// Browsers stop nesting at 512; beyond this depth elements are counted but not remembered.
const maxDepth = 4096;

/** A page's open elements whose end matters, and counts of them by their effect, in constant time. */
export class OpenElements {
  hidden = 0;
  inert = 0;
  boilerplate = 0;
  preformatted = 0;
  sectioning = 0;
  foreign = 0;
  heading = 0;
  readonly #elements: Element[] = [];
  readonly #regions: number[] = [];
  readonly #counts = new Int32Array(elementsByName.size);
  #beyond = 0;

  get innermost(): Element | undefined {
    return this.#elements[this.#elements.length - 1];
  }

  /** Whether an element of this kind is open. */
  has(element: Element): boolean {
    return this.#counts[element.id] !== 0;
  }

  /** Open an element whose content is in these regions (bits of `Region`). */
  push(element: Element, regions: number): void {
    if (this.#elements.length >= maxDepth) {
      if (element.block) this.#beyond++;
      return;
    }
    this.#elements.push(element);
    this.#regions.push(regions);
    this.#counts[element.id] = (this.#counts[element.id] ?? 0) + 1;
    if (regions !== 0) this.#count(regions, 1);
  }

  /** Whether an end tag closed an element too deep to be remembered. */
  leaveBeyond(element: Element): boolean {
    if (this.#beyond === 0 || !element.block) return false;
    this.#beyond--;
    return true;
  }

  /** Close the innermost element. */
  pop(): void {
    const element = this.#elements.pop();
    const regions = this.#regions.pop();
    if (element === undefined || regions === undefined) return;
    this.#counts[element.id] = (this.#counts[element.id] ?? 0) - 1;
    if (regions !== 0) this.#count(regions, -1);
  }

  #count(regions: number, by: 1 | -1): void {
    if ((regions & Region.hidden) !== 0) this.hidden += by;
    if ((regions & Region.boilerplate) !== 0) this.boilerplate += by;
    if ((regions & Region.preformatted) !== 0) this.preformatted += by;
    if ((regions & Region.heading) !== 0) this.heading += by;
    if ((regions & Region.sectioning) !== 0) this.sectioning += by;
    if ((regions & Region.foreign) !== 0) this.foreign += by;
    if ((regions & Region.inert) !== 0) this.inert += by;
  }
}
