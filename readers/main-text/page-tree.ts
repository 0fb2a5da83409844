/** Flags that an element passes on to its contents; bits. */
export const Inherited = {
  hidden: 1,
  fallback: 2,
  button: 4,
  form: 8,
  figure: 16,
  list: 32,
  table: 64,
  nav: 128,
  aside: 256,
  header: 512,
  footer: 1024,
  article: 2048,
  main: 4096,
  quote: 8192,
  heading: 16_384,
  /** The page marks this as the article's text (schema.org). */
  articleBody: 32_768,
  preformatted: 65_536,
} as const;

/** The elements in document order, 0 being the page; an element's text: blocks `firstBlock` to `endBlock`. */
export interface PageElements {
  readonly parent: number[];
  readonly tag: number[];
  readonly depth: number[];
  /** Bits of `Inherited`, including those of the elements around. */
  readonly inherited: number[];
  /** Bits of `WordClassifier`, this element's own. */
  readonly words: number[];
  /** Equal for elements with equal names, classes and the same for the elements around. */
  readonly shape: number[];
  readonly firstBlock: number[];
  readonly endBlock: number[];
}

/** A run of text with only inline elements in it. */
export interface TextBlock {
  /** One line, or with its line breaks where they matter. */
  readonly text: string;
  /** The element right around it. */
  readonly element: number;
  /** UTF-16 units other than white space, all and those in links and in emphasis. */
  readonly size: number;
  readonly linkSize: number;
  readonly emphasisSize: number;
  readonly links: number;
  /** Word classes of the inline elements in it. */
  readonly inlineWords: number;
  /** Whether it follows a line break in the same element as the block before. */
  readonly broken: boolean;
  /** Whether it pops up over the sentence that is written around it. */
  readonly popup?: boolean;
}

/** A page as the extractor sees it. */
export interface PageTree {
  readonly elements: PageElements;
  readonly blocks: readonly TextBlock[];
  readonly title: string;
  /** `meta` descriptions. */
  readonly description: string;
  /** The text of the article in its structured data; empty without one. */
  readonly articleBody: string;
  /** Whether parts were left out because of the page's size. */
  readonly cut: boolean;
}
