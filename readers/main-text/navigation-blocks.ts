import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';
import { wordClassBit } from './word-classes.ts';

const never = Inherited.hidden | Inherited.fallback | Inherited.nav | Inherited.button;
const pageParts = Inherited.header | Inherited.footer;
const sectioning = Inherited.article | Inherited.main;
const navigationNames =
  wordClassBit('navigation') | wordClassBit('footer') | wordClassBit('share') | wordClassBit('overlay');
const linked = 0.7;
const farthest = 3;

/** Whether a block is certainly not text: hidden, in a navigation bar, or a link in a part named so. */
export function isEvidentNavigation({ blocks, elements }: PageTree, at: number): boolean {
  const block = blocks[at] as TextBlock;
  const inherited = elements.inherited[block.element] ?? 0;
  if ((inherited & never) !== 0) return true;
  if ((inherited & pageParts) !== 0 && (inherited & sectioning) === 0 && isLinked(block)) return true;
  if (!isLinked(block)) return false;
  let element = block.element;
  for (let up = 0; up < farthest && element !== 0; up++) {
    if (((elements.words[element] ?? 0) & navigationNames) !== 0) return true;
    element = elements.parent[element] ?? 0;
  }
  return false;
}

function isLinked({ size, linkSize }: TextBlock): boolean {
  return linkSize > linked * size;
}
