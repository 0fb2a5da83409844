import { isEvidentNavigation } from './navigation-blocks.ts';
import { tagId } from './page-tags.ts';
import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';

const advertisement =
  /^(?:advertis(?:ement|ing)|ads?|sponsored(?: content)?|anzeige|werbung|publicidade?|publicité|pubblicità|реклама)\W*$/i;
const maxLabelLength = 40;
const sure = 0.9;
const neighbourIsMain = 0.4;
const maxQuotationLength = 8;
const mostlyLinks = 0.5;
const asideTag = tagId('aside');

/**
 * Rules that the model cannot learn from few examples: evident navigation, asides full of links, pop-up
 * lists, the word "advertisement" and captions of figures are not main text; a quotation in the midst of main
 * text is. `judged`: probability of each block; returns a corrected copy.
 */
export function amended(tree: PageTree, judged: Float64Array): Float64Array {
  const { blocks } = tree;
  const linkedAside = linkedAsides(tree);
  const result = Float64Array.from(judged, (probability, at) => {
    const block = blocks[at] as TextBlock;
    const label = block.size < maxLabelLength && advertisement.test(block.text);
    const apart =
      block.popup || label || linkedAside[block.element] === 1 || isCaption(inheritedOf(tree, at));
    return apart || isEvidentNavigation(tree, at) ? 0 : probability;
  });
  keepQuotations(tree, result);
  return result;
}

/** 1 for each element in an `aside` with more links than text. */
function linkedAsides({ blocks, elements }: PageTree): Uint8Array {
  const sizes = new Float64Array(blocks.length + 1);
  const links = new Float64Array(blocks.length + 1);
  blocks.forEach(({ size, linkSize }, at) => {
    sizes[at + 1] = (sizes[at] ?? 0) + size;
    links[at + 1] = (links[at] ?? 0) + linkSize;
  });
  const linked = new Uint8Array(elements.parent.length);
  for (let element = 1; element < linked.length; element++) {
    linked[element] = linked[elements.parent[element] ?? 0] ?? 0;
    if (elements.tag[element] !== asideTag) continue;
    const first = elements.firstBlock[element] ?? 0;
    const end = elements.endBlock[element] ?? 0;
    const linkSize = (links[end] ?? 0) - (links[first] ?? 0);
    if (linkSize > mostlyLinks * ((sizes[end] ?? 0) - (sizes[first] ?? 0))) linked[element] = 1;
  }
  return linked;
}

function keepQuotations(tree: PageTree, result: Float64Array): void {
  const isQuoted = (at: number) => (inheritedOf(tree, at) & Inherited.quote) !== 0;
  const count = tree.blocks.length;
  for (let at = 0; at < count; at++) {
    if (!isQuoted(at)) continue;
    const start = at;
    while (at + 1 < count && isQuoted(at + 1)) at++;
    const before = result[start - 1] ?? 0;
    const after = result[at + 1] ?? 0;
    if (at - start >= maxQuotationLength || before < neighbourIsMain || after < neighbourIsMain) continue;
    for (let quoted = start; quoted <= at; quoted++) result[quoted] = Math.max(sure, result[quoted] ?? 0);
  }
}

function inheritedOf({ blocks, elements }: PageTree, at: number): number {
  return elements.inherited[blocks[at]?.element ?? 0] ?? 0;
}

/** Figures hold code, tables and quotations too. */
function isCaption(inherited: number): boolean {
  const held = Inherited.preformatted | Inherited.table | Inherited.quote;
  return (inherited & Inherited.figure) !== 0 && (inherited & held) === 0;
}
