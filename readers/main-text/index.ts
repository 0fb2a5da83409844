// The main text of an HTML page, without what surrounds it on every page of a site. `readPage` makes a flat tree of
// the tokens: elements and the blocks of text in them. `judgeBlocks` describes each block by its own characters, its
// element, the names its authors gave the parts around it and the shape of the whole page, and lets a small learned
// model say how likely it is main text; a second model does so again, knowing the guesses for the blocks around.
// `mainText` is the way in; the rest is open to the trainer and the benchmark.
export { type BlockModel, guessRows, judgeBlocks, judgeRows, mainThreshold } from './block-judge.ts';
export { type BoostedTrees, probability } from './boosted-trees.ts';
export { mainText, mainTextOf, type ParagraphRole } from './main-text.ts';
export { printModel } from './model-text.ts';
export { PageReader, readPage } from './page-reader.ts';
export type { PageTree } from './page-tree.ts';
