import type { Block, BlockRole, ReadText, SummariseOptions } from '../document/index.ts';
import { beginning } from './clean-text.ts';

/** The kind of a block; boilerplate (navigation, quotations, notices) only counts without other text. */
export type BlockKind = BlockRole | 'boilerplate';

type TextOptions = Pick<SummariseOptions, 'text' | 'maxTextBytes'>;

/** More words than condensing weighs do not fit into this. */
const condensedBytes = 8 * 1024 * 1024;
/** As many blocks as words are weighed; more are pieces without words. */
const maxBlocks = 500_000;

/** Max bytes of UTF-8 read of a text: a summary's size at `full` and `none`, else what condensing reads. */
export function readableBytes({ text, maxTextBytes }: TextOptions): number {
  return text === 'full' || text === 'none' ? maxTextBytes : Math.max(maxTextBytes, condensedBytes);
}

/**
 * Collects a document's text block by block. Where all text is wanted every block has lines of its own,
 * whatever its kind. Else boilerplate is left out unless there is no other text, and lines of prose are
 * joined.
 */
export class TextBlocks {
  readonly #mode: SummariseOptions['text'];
  readonly #kept: BoundedBlocks;
  readonly #boilerplate: BoundedBlocks;

  constructor(options: TextOptions) {
    this.#mode = options.text;
    const bytes = readableBytes(options);
    this.#kept = new BoundedBlocks(bytes);
    this.#boilerplate = new BoundedBlocks(bytes);
  }

  /** Whether more text can be added. */
  get open(): boolean {
    return this.#mode !== 'none' && !this.#kept.cut;
  }

  /** Whether no text was added. */
  get empty(): boolean {
    return this.#kept.empty && this.#boilerplate.empty;
  }

  /** Add one block; `level` is that of a heading, 1 the highest. */
  add(text: string, kind: BlockKind, level?: number): void {
    if (text === '' || this.#mode === 'none') return;
    if (this.#mode === 'full') this.#kept.add(text, undefined);
    else if (kind === 'boilerplate') this.#boilerplate.add(flowing(text), paragraph);
    else {
      const lined = kind === 'pre' || kind === 'row';
      const role = level === undefined ? { role: kind } : { role: kind, level };
      this.#kept.add(lined ? text : flowing(text), role);
    }
  }

  /** The collected text, or undefined when there is none or none was wanted. */
  read(): ReadText | undefined {
    const chosen = this.#kept.empty ? this.#boilerplate : this.#kept;
    return chosen.empty ? undefined : { blocks: chosen.blocks(), cut: chosen.cut };
  }
}

const paragraph = { role: 'paragraph' } as const;

const flowing = (text: string) => text.replaceAll('\n', ' ');

/** Blocks up to a number of UTF-8 bytes; the block that would exceed it is cut at a character. */
class BoundedBlocks {
  readonly #max: number;
  readonly #texts: string[] = [];
  readonly #roles: Omit<Block, 'text'>[] = [];
  #bytes = 0;
  #cut = false;

  constructor(max: number) {
    this.#max = max;
  }

  get empty(): boolean {
    return this.#texts.length === 0;
  }

  get cut(): boolean {
    return this.#cut;
  }

  /** Blocks without a role are only ever joined. */
  add(text: string, role: Omit<Block, 'text'> | undefined): void {
    if (this.#cut) return;
    const separator = this.empty ? 0 : 1;
    const bytes = Buffer.byteLength(text) + separator;
    if (this.#bytes + bytes <= this.#max && this.#roles.length < maxBlocks) {
      this.#bytes += bytes;
      this.#push(text, role);
      return;
    }
    this.#cut = true;
    const rest = fitting(text, this.#max - this.#bytes - separator);
    if (rest !== '') this.#push(rest, role);
  }

  #push(text: string, role: Omit<Block, 'text'> | undefined): void {
    this.#texts.push(text);
    if (role !== undefined) this.#roles.push(role);
  }

  blocks(): Block[] {
    if (this.#roles.length === 0) return [{ ...paragraph, text: this.#texts.join('\n') }];
    return this.#texts.map((text, at) => ({ ...(this.#roles[at] ?? paragraph), text }));
  }
}

/** The longest beginning of `text` that is at most `bytes` of UTF-8. */
function fitting(text: string, bytes: number): string {
  if (bytes <= 0) return '';
  const candidate = Buffer.from(beginning(text, bytes));
  if (candidate.length <= bytes) return candidate.toString();
  let end = bytes;
  while (end > 0 && ((candidate[end] ?? 0) & 0xc0) === 0x80) end--;
  return candidate.toString('utf8', 0, end);
}
