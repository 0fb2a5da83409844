import { tagId } from './page-tags.ts';
import type { PageElements, TextBlock } from './page-tree.ts';

const row = tagId('tr');
const cells: ReadonlySet<number> = new Set([tagId('td'), tagId('th')]);
const maxCell = 200;

/**
 * Joins the cells of each row of a data table into one block, separated by tabs, since a cell alone says
 * little. Rows with a long cell or with several blocks in a cell are layout and stay separate. Returns the
 * new blocks and changes the block numbers in `elements` to fit.
 */
export function joinTableRows(blocks: readonly TextBlock[], elements: PageElements): TextBlock[] {
  const joined: TextBlock[] = [];
  const newNumber = new Int32Array(blocks.length + 1);
  let at = 0;
  while (at < blocks.length) {
    const end = rowEnd(blocks, elements, at);
    for (let old = at; old < end; old++) newNumber[old] = joined.length;
    joined.push(end - at === 1 ? (blocks[at] as TextBlock) : joinedBlock(blocks.slice(at, end), elements));
    at = end;
  }
  newNumber[blocks.length] = joined.length;
  if (joined.length < blocks.length) renumber(elements, newNumber);
  return joined;
}

/** The end of the row whose first cell is block `at`; the next block when it is not such a row. */
function rowEnd(blocks: readonly TextBlock[], elements: PageElements, at: number): number {
  const first = blocks[at] as TextBlock;
  const rowElement = elements.parent[first.element] ?? 0;
  if (!cells.has(elements.tag[first.element] ?? -1) || elements.tag[rowElement] !== row) return at + 1;
  if (elements.firstBlock[rowElement] !== at) return at + 1;
  const end = elements.endBlock[rowElement] ?? at + 1;
  let cell = -1;
  for (let inside = at; inside < end; inside++) {
    const block = blocks[inside] as TextBlock;
    if (elements.parent[block.element] !== rowElement || block.element === cell || block.size > maxCell)
      return at + 1;
    cell = block.element;
  }
  return Math.max(end, at + 1);
}

function joinedBlock(parts: readonly TextBlock[], elements: PageElements): TextBlock {
  const sum = (pick: (part: TextBlock) => number) => parts.reduce((total, part) => total + pick(part), 0);
  return {
    text: parts.map(({ text }) => text.replace(/\s+/g, ' ')).join('\t'),
    element: elements.parent[parts[0]?.element ?? 0] ?? 0,
    size: sum(({ size }) => size),
    linkSize: sum(({ linkSize }) => linkSize),
    emphasisSize: sum(({ emphasisSize }) => emphasisSize),
    links: sum(({ links }) => links),
    inlineWords: parts.reduce((bits, { inlineWords }) => bits | inlineWords, 0),
    broken: false,
  };
}

function renumber({ firstBlock, endBlock }: PageElements, newNumber: Int32Array): void {
  for (let element = 0; element < firstBlock.length; element++) {
    const first = newNumber[firstBlock[element] ?? 0] ?? 0;
    // A cell in the middle of a row keeps the row's block.
    const end = Math.max(first, newNumber[endBlock[element] ?? 0] ?? 0);
    firstBlock[element] = first;
    endBlock[element] = end;
  }
}
