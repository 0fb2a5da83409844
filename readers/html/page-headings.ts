import { Attribute, type Element, Region } from './html-elements.ts';

const maxHeadings = 5000;

/** A heading as one line, with its identifier in the page. */
interface PageHeading {
  readonly heading: string;
  readonly anchor: string | undefined;
}

/**
 * The headings of a page, outside its boilerplate and inside. Finds the identifier of each heading: its own, that of the element that begins with it (a section, or an empty anchor
 * before it), or one inside it.
 */
export class PageHeadings {
  readonly main: PageHeading[] = [];
  readonly boilerplate: PageHeading[] = [];
  first: string | undefined;
  #own: string | undefined;
  #before: string | undefined;
  /** Whether `#before` is of a block, which goes before that of a mark inside the block. */
  #isBlock = false;
  #inside: string | undefined;

  /** A start tag with attributes outside hidden text. */
  startTag(values: readonly (string | undefined)[], element: Element, inHeading: boolean): void {
    const id = values[Attribute.id] || values[Attribute.name];
    if (id === undefined || id === '') return;
    const { block: isBlock, regions } = element;
    if ((regions & Region.heading) !== 0) this.#own = id;
    else if (inHeading) this.#inside ??= id;
    else if (isBlock || !this.#isBlock || this.#before === undefined) {
      this.#before = id;
      this.#isBlock = isBlock;
    }
  }

  /** Text outside headings: identifiers before it are of that text. */
  text(): void {
    this.#before = undefined;
    this.#own = undefined;
  }

  /** A heading ends. */
  add(heading: string, isBoilerplate: boolean): void {
    const anchor = this.#own ?? this.#before ?? this.#inside;
    this.text();
    this.#inside = undefined;
    this.first ??= heading;
    const list = isBoilerplate ? this.boilerplate : this.main;
    if (list.length < maxHeadings) list.push({ heading, anchor });
  }
}
