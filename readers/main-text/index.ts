// The main text of an HTML page, without the parts that surround it on every page of a site. `readPage` makes
// a flat tree of the tokens: elements and the blocks of text in them. `judgeBlocks` describes each block by
// its own characters, its element, the names that its authors gave the parts around it and the shape of the
// whole page; a small learned model estimates the probability that it is main text, and a second model
// estimates again from the guesses for the blocks around. Begin with main-text.ts, then page-reader.ts and
// block-judge.ts; the other exports are for the trainer and the benchmark.
export { type BlockModel, guessRows, judgeBlocks, judgeRows } from './block-judge.ts';
export { type BoostedTrees, probability } from './boosted-trees.ts';
export { mainText, mainTextOf, type ParagraphRole, selectBlocks } from './main-text.ts';
export { printModel } from './model-text.ts';
export { PageReader, readPage } from './page-reader.ts';
export { Inherited, type PageTree } from './page-tree.ts';
