import { cachePurge } from '../cache/purge.ts';
import { cacheServe } from '../cache/serve.ts';
import { cacheStatusVerb } from '../cache/status.ts';
import { cacheWhy } from '../cache/why.ts';
import type { Verb } from '../command/verb.ts';

/** The verbs of `garner cache`, in the order of its help. */
export const cacheVerbs: readonly Verb[] = [cacheServe, cacheStatusVerb, cacheWhy, cachePurge];
