import { judgeBlocks } from './block-judge.ts';
import { readPage } from './page-reader.ts';
import { tagId } from './page-tags.ts';
import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';
import { trainedModel } from './trained-model.ts';

/** A shorter text is trusted less, unless the page has no other. */
const enoughText = 200;
/** Below this nothing is known, and everything stays. */
const minConfidence = 0.65;
/** A likelier block always stays: a lost sentence is worse than a foreign one. */
const maxCut = 0.4;
const steps = 256;

/** Which blocks to keep. */
interface Selection {
  readonly kept: readonly TextBlock[];
  /** The F1 to expect of them, 0 to 1. */
  readonly confidence: number;
}

/**
 * Keeps the blocks above the probability at which the expected F1 of the kept text is greatest: a page without a
 * clear main part (a list, a thread) keeps nearly all. `judged`: probability of each block; 0 is never kept.
 */
export function selectBlocks({ blocks }: PageTree, judged: Float64Array): Selection {
  const sizes = new Float64Array(steps + 1);
  const right = new Float64Array(steps + 1);
  let total = 0;
  let wanted = 0;
  blocks.forEach(({ size }, at) => {
    const probability = judged[at] ?? 0;
    if (probability === 0) return;
    const step = Math.floor(probability * steps);
    sizes[step] = (sizes[step] ?? 0) + size;
    right[step] = (right[step] ?? 0) + size * probability;
    total += size;
    wanted += size * probability;
  });
  let confidence = 0;
  let cut = 0;
  let kept = 0;
  let rightly = 0;
  for (let step = steps; step >= 0; step--) {
    kept += sizes[step] ?? 0;
    rightly += right[step] ?? 0;
    const expected = ((2 * rightly) / (kept + wanted)) * Math.min(1, kept / Math.min(enoughText, total));
    // Of nothing it is not a number.
    if (!(expected > confidence)) continue;
    confidence = expected;
    cut = step / steps;
  }
  const min = confidence < minConfidence ? 0 : Math.min(cut, maxCut);
  const isKept = (at: number) => (judged[at] ?? 0) > 0 && (judged[at] ?? 0) >= min;
  return { kept: blocks.filter((_, at) => isKept(at)), confidence };
}

/** The kind of a paragraph in its page. */
export type ParagraphRole = 'heading' | 'paragraph' | 'list item' | 'preformatted' | 'table row';

/** A run of text between the page's block-level tags. */
export interface Paragraph {
  readonly role: ParagraphRole;
  /** One line, or with the page's line breaks; tabs separate the cells of a row. */
  readonly text: string;
  /** 1 to 6 for a heading. */
  readonly level?: number;
}

/** The main text of a page. */
export interface MainText {
  /** In the page's order. */
  readonly paragraphs: readonly Paragraph[];
  /** 0 to 1: the F1 to expect of it. */
  readonly confidence: number;
  /** Whether some of the page was left out because it has too many parts. */
  readonly cut: boolean;
}

/**
 * The main text of an HTML page: the article, without navigation, advertisements, teasers, comments, footers,
 * share bars and notices about cookies. Pages without a main part (lists, threads, some manuals) keep
 * everything but evident navigation. Reads any string; takes time and memory linear in its length.
 */
export function mainText(html: string): MainText {
  return mainTextOf(readPage(html));
}

/** The same for a page that a `PageReader` has read, which listened to a tokenizer with others. */
export function mainTextOf(tree: PageTree): MainText {
  const { blocks } = tree;
  const { kept, confidence } = selectBlocks(tree, judgeBlocks(tree, trainedModel()));
  const seen = kept.length > 0 ? kept : blocks.filter(({ element }) => isSeen(tree, element));
  const some = seen.length > 0 ? seen : blocks;
  return { paragraphs: some.map((block) => paragraph(tree, block)), confidence, cut: tree.cut };
}

function isSeen({ elements }: PageTree, element: number): boolean {
  return ((elements.inherited[element] ?? 0) & (Inherited.hidden | Inherited.fallback)) === 0;
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map(tagId);
const listItems = new Set(['li', 'dt', 'dd'].map(tagId));
const tableRow = tagId('tr');
const cells = new Set(['td', 'th'].map(tagId));
const farthestItem = 2;

function paragraph({ elements }: PageTree, { element, text }: TextBlock): Paragraph {
  const inherited = elements.inherited[element] ?? 0;
  if ((inherited & Inherited.preformatted) !== 0) return { role: 'preformatted', text };
  const tag = elements.tag[element] ?? 0;
  if (tag === tableRow || cells.has(tag)) return { role: 'table row', text };
  let around = element;
  for (let up = 0; up <= farthestItem; up++) {
    const outer = elements.tag[around] ?? 0;
    const level = headings.indexOf(outer) + 1;
    if (level > 0) return { role: 'heading', text, level };
    if (listItems.has(outer)) return { role: 'list item', text };
    around = elements.parent[around] ?? 0;
  }
  return { role: 'paragraph', text };
}
