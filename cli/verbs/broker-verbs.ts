import { auditVerb, brokerLog } from '../broker/audit.ts';
import { brokerBlocked, brokerUnblock } from '../broker/blocked.ts';
import { brokerCheck, brokerRepair } from '../broker/check.ts';
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
import { tokenVerbs } from '../broker/token.ts';
import { brokerClean, brokerCompact, brokerReindex } from '../broker/upkeep.ts';
import { brokerViewAdd } from '../broker/views/view-add.ts';
import { brokerViewList } from '../broker/views/view-list.ts';
import { brokerViewRemove } from '../broker/views/view-remove.ts';
import { brokerViewResume } from '../broker/views/view-resume.ts';
import { brokerViewShow } from '../broker/views/view-show.ts';
import { brokerWhy } from '../broker/why.ts';
import type { Verb } from '../command/verb.ts';

/** The verbs of `garner broker`, in the order of its help. */
export const brokerVerbs: readonly Verb[] = [
  brokerServe,
  brokerCollect,
  brokerSearch,
  brokerSearches,
  brokerWhy,
  brokerShow,
  brokerStatusVerb,
  brokerCheck,
  brokerRepair,
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
  auditVerb('broker'),
  ...tokenVerbs('broker'),
  brokerViewAdd,
  brokerViewList,
  brokerViewShow,
  brokerViewResume,
  brokerViewRemove,
];
