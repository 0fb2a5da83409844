import type { InlineMark } from './block-writer.ts';
import { customTag, type Tag, TagTrait, tagCount, tagId } from './page-tags.ts';

// Browsers stop nesting at 512; elements beyond this depth are counted but not remembered.
const maxDepth = 2048;

const tableTag = tagId('table');
const tabular = new Set(['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'].map(tagId));
const headings = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(tagId));

/** An open element: its number in the page's list and the flags of its contents. */
export interface OpenElement {
  readonly tag: Tag;
  /** For an inline element that of the block-level element around it. */
  readonly element: number;
  readonly inherited: number;
  readonly inLink: boolean;
  /** The start of its text, for an inline element with a class. */
  readonly mark: InlineMark | undefined;
}

interface Entry extends OpenElement {
  /** Depths of the element of the same tag, the scope and the block-level element that were innermost before. */
  readonly sameTag: number;
  readonly scope: number;
  readonly block: number;
}

/** Open elements and which of them an end tag may reach (HTML standard 13.2.4.2), in constant time. */
export class OpenPath {
  readonly #entries: Entry[] = [
    {
      tag: customTag,
      element: 0,
      inherited: 0,
      inLink: false,
      mark: undefined,
      sameTag: 0,
      scope: 0,
      block: 0,
    },
  ];
  readonly #depthOfTag = new Int32Array(tagCount);
  #scope = 0;
  #block = 0;
  #beyond = 0;

  get innermost(): OpenElement {
    return this.#entries[this.#entries.length - 1] as OpenElement;
  }

  /** The innermost block-level element. */
  get innermostBlock(): OpenElement {
    return this.#entries[this.#block] as OpenElement;
  }

  /** Open an element; false when it lies too deep to be remembered. */
  push(tag: Tag, element: number, inherited: number, inLink: boolean, mark?: InlineMark): boolean {
    const depth = this.#entries.length;
    if (depth >= maxDepth) {
      if ((tag.traits & TagTrait.block) !== 0) this.#beyond++;
      return false;
    }
    const sameTag = this.#depthOfTag[tag.id] ?? 0;
    const scope = this.#scope;
    const block = this.#block;
    this.#entries.push({ tag, element, inherited, inLink, mark, sameTag, scope, block });
    this.#depthOfTag[tag.id] = depth;
    if ((tag.traits & TagTrait.scope) !== 0) this.#scope = depth;
    if ((tag.traits & TagTrait.block) !== 0) this.#block = depth;
    return true;
  }

  /** Close the innermost element. */
  pop(): OpenElement | undefined {
    if (this.#entries.length <= 1) return undefined;
    const entry = this.#entries.pop();
    if (entry === undefined) return undefined;
    this.#depthOfTag[entry.tag.id] = entry.sameTag;
    this.#scope = entry.scope;
    this.#block = entry.block;
    return entry;
  }

  /** Number of elements that stay open after a start tag of this kind has closed others. */
  depthForStart(tag: Tag): number {
    return tag.ends.has(this.innermostBlock.tag.id) ? this.#block : this.#entries.length;
  }

  /** Number of elements that stay open after this end tag, or undefined when it closes nothing. */
  depthForEnd(tag: Tag): number | undefined {
    if (this.#beyond > 0 && (tag.traits & TagTrait.block) !== 0) {
      this.#beyond--;
      return undefined;
    }
    let depth = this.#depthOfTag[tag.id] ?? 0;
    const isBlock = (tag.traits & TagTrait.block) !== 0;
    if (depth === 0 && headings.has(tag.id) && headings.has(this.innermostBlock.tag.id)) depth = this.#block;
    if (depth === 0) return undefined;
    const limit = !isBlock
      ? this.#block + 1
      : tabular.has(tag.id)
        ? (this.#depthOfTag[tableTag] ?? 0)
        : this.#scope;
    return depth >= limit ? depth : undefined;
  }

  /** Number of entries, the page among them. */
  get length(): number {
    return this.#entries.length;
  }
}
