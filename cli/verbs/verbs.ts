import { awarenessExplain } from '../broker/awareness/explain.ts';
import type { Verb } from '../command/verb.ts';
import { doctor } from '../doctor/doctor.ts';
import { up } from '../up/up.ts';
import { brokerVerbs } from './broker-verbs.ts';
import { cacheVerbs } from './cache-verbs.ts';
import { configVerb } from './config.ts';
import { gathererVerbs } from './gatherer-verbs.ts';
import { publishVerb } from './publish.ts';
import { registryVerbs } from './registry-verbs.ts';
import { soifCheck } from './soif-check.ts';

/** Every verb of `garner`, in the order help lists them. */
export const verbs: readonly Verb[] = [
  up,
  ...gathererVerbs,
  ...brokerVerbs,
  ...cacheVerbs,
  ...registryVerbs,
  publishVerb,
  awarenessExplain,
  soifCheck,
  configVerb,
  doctor,
];
