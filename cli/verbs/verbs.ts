import { brokerAudit, brokerLog } from '../broker/audit.ts';
import { awarenessExplain } from '../broker/awareness/explain.ts';
import { brokerBlocked, brokerUnblock } from '../broker/blocked.ts';
import { brokerCheck } from '../broker/check.ts';
import { brokerCollect } from '../broker/collect.ts';
import { brokerDelete } from '../broker/delete.ts';
import { brokerDuplicates } from '../broker/duplicates.ts';
import { brokerSearch } from '../broker/search.ts';
import { brokerSearches } from '../broker/searches.ts';
import { brokerServe } from '../broker/serve.ts';
import { brokerSet } from '../broker/set.ts';
import { brokerShow } from '../broker/show.ts';
import { brokerSourceAdd } from '../broker/sources/source-add.ts';
import { brokerSourcePause, brokerSourceResume, brokerSourceSet } from '../broker/sources/source-change.ts';
import { brokerSourceCollect } from '../broker/sources/source-collect.ts';
import { brokerSourceList } from '../broker/sources/source-list.ts';
import { brokerSourceRemove } from '../broker/sources/source-remove.ts';
import { brokerStatistics } from '../broker/statistics.ts';
import { brokerStatusVerb } from '../broker/status.ts';
import { brokerTokenAdd, brokerTokenList, brokerTokenRemove } from '../broker/token.ts';
import { brokerClean, brokerCompact, brokerReindex } from '../broker/upkeep.ts';
import { brokerViewAdd } from '../broker/views/view-add.ts';
import { brokerViewList } from '../broker/views/view-list.ts';
import { brokerViewRemove } from '../broker/views/view-remove.ts';
import { brokerViewResume } from '../broker/views/view-resume.ts';
import { brokerViewShow } from '../broker/views/view-show.ts';
import { brokerWhy } from '../broker/why.ts';
import { cachePurge } from '../cache/purge.ts';
import { cacheServe } from '../cache/serve.ts';
import { cacheStatusVerb } from '../cache/status.ts';
import { cacheWhy } from '../cache/why.ts';
import type { Verb } from '../command/verb.ts';
import { doctor } from '../doctor/doctor.ts';
import { gathererAnnotate } from '../gatherer/annotate.ts';
import { gathererRun } from '../gatherer/run.ts';
import { gathererServe } from '../gatherer/serve.ts';
import { gathererShow } from '../gatherer/show.ts';
import { gathererStatusVerb } from '../gatherer/status.ts';
import { gathererTry } from '../gatherer/try.ts';
import { gathererWhy } from '../gatherer/why.ts';
import { up } from '../up/up.ts';
import { configVerb } from './config.ts';
import { soifCheck } from './soif-check.ts';

/** Every verb of `garner`, in the order help lists them. */
export const verbs: readonly Verb[] = [
  up,
  gathererRun,
  gathererServe,
  gathererStatusVerb,
  gathererShow,
  gathererWhy,
  gathererTry,
  gathererAnnotate,
  brokerServe,
  brokerCollect,
  brokerSearch,
  brokerSearches,
  brokerWhy,
  brokerShow,
  brokerStatusVerb,
  brokerCheck,
  brokerDuplicates,
  brokerSourceAdd,
  brokerSourceList,
  brokerSourceRemove,
  brokerSourcePause,
  brokerSourceResume,
  brokerSourceSet,
  brokerSourceCollect,
  brokerSet,
  brokerDelete,
  brokerBlocked,
  brokerUnblock,
  brokerStatistics,
  brokerClean,
  brokerCompact,
  brokerReindex,
  brokerLog,
  brokerAudit,
  brokerTokenAdd,
  brokerTokenList,
  brokerTokenRemove,
  brokerViewAdd,
  brokerViewList,
  brokerViewShow,
  brokerViewResume,
  brokerViewRemove,
  cacheServe,
  cacheStatusVerb,
  cacheWhy,
  cachePurge,
  awarenessExplain,
  soifCheck,
  configVerb,
  doctor,
];

/** One line for each group of verbs. */
export const groups: Readonly<Record<string, string>> = {
  gatherer: 'Summarise a site where it lies, and let others collect the summaries',
  broker: 'Collect summaries from many sites, index them, and answer queries',
  'broker source': 'Add, pause, remove and ask the sources of a Broker while it serves',
  'broker token': 'Say who may search, collect, change and administer',
  'broker view': 'Keep named queries that others collect, subscribe and search within',
  cache: 'Keep what others ask for of the Web, and answer from it, alone or in a hierarchy of caches',
  awareness: 'See how a Broker becomes aware of what changed at its sources, and what that takes',
  soif: 'Look at summary objects in SOIF text',
};
