import type { Verb } from '../command/verb.ts';
import { gathererAnnotate } from '../gatherer/annotate.ts';
import { gathererCheck, gathererRepair } from '../gatherer/check.ts';
import { gathererRun } from '../gatherer/run.ts';
import { gathererServe } from '../gatherer/serve.ts';
import { gathererShow } from '../gatherer/show.ts';
import { gathererStatusVerb } from '../gatherer/status.ts';
import { gathererTry } from '../gatherer/try.ts';
import { gathererWhy } from '../gatherer/why.ts';

/** The verbs of `garner gatherer`, in the order of its help. */
export const gathererVerbs: readonly Verb[] = [
  gathererRun,
  gathererServe,
  gathererStatusVerb,
  gathererShow,
  gathererWhy,
  gathererTry,
  gathererAnnotate,
  gathererCheck,
  gathererRepair,
];
