import { termParts } from '../../../query/index.ts';
import { packed, unpacked } from '../codecs/packed-block.ts';

/** A term with the normalised words that have it, in any language. */
export interface WordGroup {
  readonly term: string;
  readonly words: readonly string[];
}

/** Characters of a full block. Packed it is no longer than LevelDB's own blocks. */
const fullLength = 8192;
// Neither occurs in a word.
const betweenWords = '\t';
const lineEnd = '\n';

/**
 * Collects groups in the order of their terms (UTF-8) into blocks of text: a line for each, the term and its
 * words. A term whose only word is its stem has no words in its line.
 */
export class GroupBlock {
  readonly #lines: string[] = [];
  #length = 0;
  readonly first: string;

  constructor(first: string) {
    this.first = first;
  }

  get full(): boolean {
    return this.#length >= fullLength;
  }

  add({ term, words }: WordGroup): void {
    const isPlain = words.length === 1 && words[0] === termParts(term)[1];
    const line = isPlain ? term : [term, ...words].join(betweenWords);
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  take(): Uint8Array {
    return packed(Buffer.from(this.#lines.map((line) => line + lineEnd).join('')));
  }
}

/** A stored block of groups as text. Throws ENGINE_DAMAGED. */
export function blockText(value: Uint8Array): string {
  const { buffer, byteOffset, byteLength } = unpacked(value);
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

export function groupOf(line: string): WordGroup {
  const [term = '', ...words] = line.split(betweenWords);
  return { term, words: words.length === 0 ? [termParts(term)[1]] : words };
}

export const groupLines = (text: string): string[] => text.split(lineEnd).slice(0, -1);

/** The lines of a block that contain at least one of these texts, each once. */
export function linesWith(text: string, pieces: readonly string[]): string[] {
  const found = new Map<number, string>();
  for (const piece of pieces)
    for (let at = text.indexOf(piece); at >= 0; ) {
      const from = text.lastIndexOf(lineEnd, at) + 1;
      const to = text.indexOf(lineEnd, at);
      if (to < 0) break;
      found.set(from, text.slice(from, to));
      at = text.indexOf(piece, to);
    }
  return [...found.values()];
}

/** Join the same group of several segments. */
export const unitedWords = (groups: readonly WordGroup[]): string[] => [
  ...new Set(groups.flatMap(({ words }) => words)),
];
