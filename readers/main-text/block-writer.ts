import type { TextBlock } from './page-tree.ts';

const maxBlocks = 500_000;
// A longer paragraph continues in the next block, so that no string grows without bound.
const maxBlockLength = 1024 * 1024;

/** The start of an inline element in the current block. */
export interface InlineMark {
  readonly block: number;
  readonly lines: number;
  readonly run: number;
  readonly size: number;
  readonly linkSize: number;
  readonly emphasisSize: number;
  readonly links: number;
}

const minLinks = 2;
const minLinkSize = 40;

/** Gathers the runs of text between the tags of a page into blocks. */
export class BlockWriter {
  readonly blocks: TextBlock[] = [];
  /** Whether text was left out: too many blocks. */
  cut = false;

  #lines = '';
  #run = '';
  #size = 0;
  #linkSize = 0;
  #emphasisSize = 0;
  #links = 0;
  #inlineWords = 0;
  #broken = false;
  #ended = 0;
  /** Line breaks since the last text; two of them end a block. */
  #breaks = 0;

  /** Text from `start` up to `end` of `html`; `kept`: white space at its beginning counts. */
  add(html: string, start: number, end: number, linked: boolean, emphasised: boolean, kept: boolean): void {
    let from = start;
    // White space alone begins no block; most text between tags is white space.
    if (this.#run === '' && !kept) while (from < end && html.charCodeAt(from) <= 32) from++;
    if (from >= end) return;
    let size = 0;
    for (let at = from; at < end; at++) {
      const code = html.charCodeAt(at);
      if (code > 32 && code !== 0xa0) size++;
    }
    this.#count(size, linked, emphasised);
    this.#run += html.slice(from, end);
  }

  /** One character that was written as an entity. */
  addCharacter(codepoint: number, linked: boolean, emphasised: boolean): void {
    if (codepoint === 0xad || codepoint === 0x200b) return;
    this.#count(codepoint > 32 && codepoint !== 0xa0 ? 1 : 0, linked, emphasised);
    this.#run += String.fromCodePoint(codepoint);
  }

  #count(size: number, linked: boolean, emphasised: boolean): void {
    if (size === 0) return;
    this.#size += size;
    if (linked) this.#linkSize += size;
    if (emphasised) this.#emphasisSize += size;
    this.#breaks = 0;
  }

  /** A link begins. */
  startLink(): void {
    this.#links++;
  }

  /** An inline element with these word classes begins; they apply while there is text in the block. */
  startInline(words: number): void {
    this.#inlineWords |= words;
  }

  /** Record where an inline element begins. */
  get mark(): InlineMark {
    return {
      block: this.#ended,
      lines: this.#lines.length,
      run: this.#run.length,
      size: this.#size,
      linkSize: this.#linkSize,
      emphasisSize: this.#emphasisSize,
      links: this.#links,
    };
  }

  /** An inline element that began at `mark` ends; with nothing but several links it becomes a block. */
  endInline(mark: InlineMark, element: number): void {
    if (mark.block !== this.#ended || mark.lines !== this.#lines.length) return;
    const size = this.#size - mark.size;
    const linkSize = this.#linkSize - mark.linkSize;
    const links = this.#links - mark.links;
    if (links < minLinks || size !== linkSize || size < minLinkSize || size === this.#size) return;
    const text = this.#run.slice(mark.run).replace(/\s+/g, ' ').trim();
    const emphasisSize = this.#emphasisSize - mark.emphasisSize;
    this.#push({
      text,
      element,
      size,
      linkSize,
      emphasisSize,
      links,
      inlineWords: 0,
      broken: false,
      popup: true,
    });
    this.#run = `${this.#run.slice(0, mark.run)} `;
    this.#size = mark.size;
    this.#linkSize = mark.linkSize;
    this.#emphasisSize = mark.emphasisSize;
    this.#links = mark.links;
  }

  #push(block: TextBlock): void {
    if (this.blocks.length >= maxBlocks) this.cut = true;
    else if (block.text !== '') this.blocks.push(block);
  }

  /** Separates the text before from the text after, on one line. */
  space(): void {
    if (this.#run !== '') this.#run += ' ';
  }

  /** A line break; the second in a row ends the block. */
  breakLine(element: number, preformatted: boolean): void {
    if (this.#run === '' && this.#lines === '') return;
    if (++this.#breaks >= 2) {
      this.end(element, preformatted);
      this.#broken = true;
    } else {
      this.#lines += `${this.#runText(preformatted)}\n`;
      this.#run = '';
    }
  }

  /** The block ends; `element` is the block-level element right around it. */
  end(element: number, preformatted: boolean): void {
    this.#breaks = 0;
    if (this.#size > 0) {
      const run = this.#runText(preformatted);
      const text = this.#lines === '' ? run : trimmedLines(this.#lines + run);
      this.#push({
        text,
        element,
        size: this.#size,
        linkSize: this.#linkSize,
        emphasisSize: this.#emphasisSize,
        links: this.#links,
        inlineWords: this.#inlineWords,
        broken: this.#broken,
      });
      this.#ended++;
    }
    this.#lines = '';
    this.#run = '';
    this.#size = this.#linkSize = this.#emphasisSize = this.#links = this.#inlineWords = 0;
    this.#broken = false;
  }

  /** Whether the block is so long that it must end. */
  get full(): boolean {
    return this.#run.length + this.#lines.length > maxBlockLength;
  }

  #runText(preformatted: boolean): string {
    return preformatted ? keptLines(this.#run) : this.#run.replace(/\s+/g, ' ').trim();
  }
}

function trimmedLines(text: string): string {
  return text.replace(/\n{2,}/g, '\n').trim();
}

/** Preformatted text: its own line breaks and indentation, without empty lines around it. */
function keptLines(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  const trimmed = lines.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== '');
  const last = trimmed.findLastIndex((line) => line !== '');
  return first < 0 ? '' : trimmed.slice(first, last + 1).join('\n');
}
