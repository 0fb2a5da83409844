import { auditVerb } from '../broker/audit.ts';
import { tokenVerbs } from '../broker/token.ts';
import type { Verb } from '../command/verb.ts';
import { registryApprove } from '../registry/approve.ts';
import { registryDescribe } from '../registry/describe.ts';
import { registryKey } from '../registry/key.ts';
import { registryList } from '../registry/list.ts';
import { registryRegister } from '../registry/register.ts';
import { search } from '../registry/search.ts';
import { registryServe } from '../registry/serve.ts';

/** The verbs of `garner registry`, in the order of its help, and the search of its Brokers. */
export const registryVerbs: readonly Verb[] = [
  registryServe,
  registryList,
  registryDescribe,
  registryRegister,
  registryApprove,
  registryKey,
  auditVerb('registry'),
  ...tokenVerbs('registry'),
  search,
];
