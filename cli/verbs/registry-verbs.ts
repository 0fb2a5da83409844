import type { Verb } from '../command/verb.ts';
import { registryServe } from '../registry/serve.ts';

/** The verbs of `garner registry`, in the order of its help. */
export const registryVerbs: readonly Verb[] = [registryServe];
