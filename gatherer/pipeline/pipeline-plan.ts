import { defaultSummariseOptions, type SummariseOptions } from '../../readers/document/index.ts';
import { type Customisation, noCustomisation, type UrlRewrite } from '../customise/index.ts';
import { noTypeTables, type SiblingRule, type TypeTables } from '../recognise/index.ts';
import type { DistributionObjects } from '../settings.ts';
import type { UnnestLimits } from '../unnest/settings.ts';
import type { TypeSelection } from './select.ts';

/** The plan without customisation. */
export const defaultPlan: PipelinePlan = {
  summarise: defaultSummariseOptions,
  selection: {},
  siblings: [],
  types: noTypeTables,
  unnest: { open: true, explode: ['mbox', 'bibtex', 'ris'], distributions: 'one', limits: {} },
  customise: noCustomisation,
  rewrite: [],
};

/** How documents become summaries, as plain data: it is sent to other threads, and its digest is the profile. */
export interface PipelinePlan {
  readonly summarise: SummariseOptions;
  readonly selection: TypeSelection;
  readonly siblings: readonly SiblingRule[];
  /** The operator's own recognition rules, before Garner's. */
  readonly types: TypeTables;
  readonly unnest: UnnestPlan;
  readonly customise: Customisation;
  /** Rules for published URLs; the Gatherer applies them, and after a change it reads all documents again. */
  readonly rewrite: readonly UrlRewrite[];
}

export interface UnnestPlan {
  /** False: every wrapper stays packed, and its summary is its listing. */
  readonly open: boolean;
  /** Files of many objects that are taken apart: `mbox`, `bibtex`, `ris`, `jsonl`, `csv`. */
  readonly explode: readonly string[];
  readonly distributions: DistributionObjects;
  readonly limits: Partial<UnnestLimits>;
}
