import { judgeBlocks, mainThreshold } from './block-judge.ts';
import { isEvidentNavigation } from './navigation-blocks.ts';
import { readPage } from './page-reader.ts';
import { tagId } from './page-tags.ts';
import { Inherited, type PageTree, type TextBlock } from './page-tree.ts';
import { trainedModel } from './trained-model.ts';

/** Below this the selection is not trusted. */
const minConfidence = 0.75;

const enoughText = 200;

/** The expected F1 of keeping the likely blocks; lower when the text is a scrap and more text is outside. */
function confidenceOf(tree: PageTree, judged: Float64Array): number {
  let kept = 0;
  let rightly = 0;
  let left = 0;
  let wrongly = 0;
  tree.blocks.forEach(({ size, linkSize }, at) => {
    const probability = judged[at] ?? 0;
    if (probability >= mainThreshold) {
      kept += size;
      rightly += size * probability;
    } else if (!isEvidentNavigation(tree, at)) {
      left += size - linkSize;
      wrongly += (size - linkSize) * probability;
    }
  });
  if (kept === 0) return 0;
  const expected = (2 * rightly) / (rightly + kept + wrongly);
  return expected * Math.min(1, kept / Math.min(enoughText, kept + left));
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
  /** 0 to 1: the certainty about which part of the page is main text. */
  readonly confidence: number;
  /** False when the certainty is so low that everything but evident navigation stays. */
  readonly selected: boolean;
  /** Whether some of the page was left out because it has too many parts. */
  readonly cut: boolean;
}

/** Options for reading a page. */
export interface MainTextOptions {
  /** XHTML: every self-closing tag closes. */
  readonly selfClosing?: boolean;
}

/**
 * The main text of an HTML page: the article, without navigation, advertisements, teasers, comments, footers,
 * share bars and notices about cookies. Pages without a main part (lists, threads, some manuals) keep
 * everything but evident navigation. Reads any string; takes time and memory linear in its length.
 */
export function mainText(html: string, options: MainTextOptions = {}): MainText {
  return mainTextOf(readPage(html, options.selfClosing ?? false));
}

/** The same for a page that a `PageReader` has read, which listened to a tokenizer with others. */
export function mainTextOf(tree: PageTree): MainText {
  const judged = judgeBlocks(tree, trainedModel());
  const confidence = confidenceOf(tree, judged);
  const selected = confidence >= minConfidence;
  const { blocks } = tree;
  const isMain = (at: number) => (judged[at] ?? 0) >= mainThreshold;
  let kept = blocks.filter((_, at) => isMain(at) || (!selected && !isEvidentNavigation(tree, at)));
  if (kept.length === 0) kept = blocks.filter(({ element }) => isSeen(tree, element));
  if (kept.length === 0) kept = [...blocks];
  return { paragraphs: kept.map((block) => paragraph(tree, block)), confidence, selected, cut: tree.cut };
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
