import { Inherited, type PageTree } from '../../readers/main-text/index.ts';

// Training pages with boilerplate of other publishers: what surrounds an article differs from site to site more than
// articles do, and the pages of a training set show too few combinations.

/** A page and the share of true text in each block (-1: no words). */
export interface MarkedPage {
  readonly publisher: string;
  readonly tree: PageTree;
  readonly shares: readonly number[];
}

/** An element without any true text: teasers, comments, an author box, a newsletter box, captions. */
interface Part {
  readonly from: MarkedPage;
  readonly element: number;
  readonly size: number;
}

const minSize = 60;
const maxSize = 2400;
const mostlyLinks = 0.85;
const apart = Inherited.hidden | Inherited.fallback | Inherited.nav;

function partsOf(from: MarkedPage): Part[] {
  const { blocks, elements } = from.tree;
  const parts: Part[] = [];
  for (let element = 1; element < elements.parent.length; element++) {
    const [first, end] = [elements.firstBlock[element] ?? 0, elements.endBlock[element] ?? 0];
    let [size, linked] = [0, 0];
    for (const block of blocks.slice(first, end)) {
      size += block.size;
      linked += block.linkSize;
    }
    if (size < minSize || size > maxSize || linked > mostlyLinks * size) continue;
    if (((elements.inherited[element] ?? 0) & apart) !== 0) continue;
    if (from.shares.slice(first, end).some((share) => share >= 0.2)) continue;
    parts.push({ from, element, size });
    element = subtreeEnd(from.tree, element) - 1;
  }
  return parts;
}

function subtreeEnd({ elements: { depth } }: PageTree, element: number): number {
  let end = element + 1;
  while (end < depth.length && (depth[end] ?? 0) > (depth[element] ?? 0)) end++;
  return end;
}

/** Insert a part as a child of `parent`, before element `at` and block `block`; `unnamed`: without its classes. */
function graft(
  { publisher, tree, shares }: MarkedPage,
  { from, element }: Part,
  [parent, at, block]: readonly [number, number, number],
  unnamed: boolean,
): MarkedPage {
  const { elements: old } = tree;
  const { elements: given } = from.tree;
  const end = subtreeEnd(from.tree, element);
  const first = given.firstBlock[element] ?? 0;
  const blocks = from.tree.blocks.slice(first, given.endBlock[element]);
  const [more, moreBlocks] = [end - element, blocks.length];
  const deeper = (old.depth[parent] ?? 0) + 1 - (given.depth[element] ?? 0);
  const outer = given.inherited[given.parent[element] ?? 0] ?? 0;
  const around = new Set([0]);
  for (let up = parent; up !== 0; up = old.parent[up] ?? 0) around.add(up);
  const cut = (column: readonly number[]) => column.slice(element, end);
  const moved = (number: number) => (number >= at ? number + more : number);
  const elements: PageTree['elements'] = {
    parent: old.parent
      .map(moved)
      .toSpliced(at, 0, ...cut(given.parent).map((up, of) => (of === 0 ? parent : up - element + at))),
    tag: old.tag.toSpliced(at, 0, ...cut(given.tag)),
    depth: old.depth.toSpliced(at, 0, ...cut(given.depth).map((depth) => depth + deeper)),
    inherited: old.inherited.toSpliced(
      at,
      0,
      ...cut(given.inherited).map((bits) => (bits & ~outer) | (old.inherited[parent] ?? 0)),
    ),
    words: old.words.toSpliced(at, 0, ...cut(given.words).map((bits) => (unnamed ? 0 : bits))),
    shape: old.shape.toSpliced(at, 0, ...cut(given.shape)),
    firstBlock: old.firstBlock
      .map((of, number) => (number >= at ? of + moreBlocks : of))
      .toSpliced(at, 0, ...cut(given.firstBlock).map((of) => of - first + block)),
    endBlock: old.endBlock
      .map((of, number) => (number >= at || around.has(number) ? of + moreBlocks : of))
      .toSpliced(at, 0, ...cut(given.endBlock).map((of) => of - first + block)),
  };
  return {
    publisher,
    tree: {
      ...tree,
      elements,
      blocks: tree.blocks
        .map((one) => ({ ...one, element: moved(one.element) }))
        .toSpliced(
          block,
          0,
          ...blocks.map((one) => ({
            ...one,
            element: one.element - element + at,
            inlineWords: unnamed ? 0 : one.inlineWords,
          })),
        ),
    },
    shares: shares.toSpliced(block, 0, ...from.shares.slice(first, given.endBlock[element])),
  };
}

const unnamedPart = 0.5;
const unnamedPage = 0.3;
const maxInside = 480;

/**
 * A copy of each page with one or two parts of other publishers' pages after, in or before its text; some without
 * the names in `class` and `id`. `random`: numbers between 0 and 1.
 */
export function grafted<P extends MarkedPage>(pages: readonly P[], random: () => number): (P & MarkedPage)[] {
  const parts = pages.flatMap(partsOf);
  return pages.flatMap((page) => {
    const others = parts.filter(({ from }) => from.publisher !== page.publisher);
    const inside = others.filter(({ size }) => size <= maxInside);
    let copy: MarkedPage = page;
    if (random() < unnamedPage) {
      const { elements } = page.tree;
      copy = {
        ...page,
        tree: { ...page.tree, elements: { ...elements, words: elements.words.map(() => 0) } },
      };
    }
    for (let left = 1 + Math.floor(2 * random()); left > 0; left--) {
      const { elements, blocks } = copy.tree;
      const main = copy.shares.flatMap((share, at) => (share >= 0.5 ? [at] : []));
      const where = random();
      const beside =
        where < 0.6 ? main.at(-1) : where < 0.85 ? main[Math.floor(random() * main.length)] : main[0];
      const from = where < 0.6 || where >= 0.85 ? others : inside;
      const part = from[Math.floor(random() * from.length)];
      let child = beside === undefined ? 0 : (blocks[beside]?.element ?? 0);
      for (let up = Math.floor(4 * random() ** 2); up > 0 && elements.parent[child] !== 0; up--)
        child = elements.parent[child] ?? 0;
      if (part === undefined || child === 0) continue;
      const parent = elements.parent[child] ?? 0;
      const place =
        where < 0.85
          ? ([parent, subtreeEnd(copy.tree, child), elements.endBlock[child] ?? 0] as const)
          : ([parent, child, elements.firstBlock[child] ?? 0] as const);
      copy = graft(copy, part, place, random() < unnamedPart);
    }
    return copy === page ? [] : [{ ...page, ...copy }];
  });
}
