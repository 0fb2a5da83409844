import type { BlockModel } from './block-judge.ts';
import { guessTrees, judgeTrees } from './block-model.ts';
import { parseModel } from './model-text.ts';

let model: BlockModel | undefined;

/** The model that comes with the program, read at first use. */
export function trainedModel(): BlockModel {
  model ??= { guess: parseModel(guessTrees), judge: parseModel(judgeTrees) };
  return model;
}
