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

/** How documents become summaries. It is plain data: other threads get it, and its digest is the profile. */
export interface PipelinePlan {
  readonly summarise: SummariseOptions;
  readonly selection: TypeSelection;
  readonly siblings: readonly SiblingRule[];
  /** The operator's own recognition rules. They apply before Garner's. */
  readonly types: TypeTables;
  readonly unnest: UnnestPlan;
  readonly customise: Customisation;
  /** Rules for published URLs, which the Gatherer applies. When they change, it reads all documents again. */
  readonly rewrite: readonly UrlRewrite[];
}

export interface UnnestPlan {
  /** False when every wrapper stays packed. The summary of a wrapper is then its listing. */
  readonly open: boolean;
  /** Formats of the files that are exploded: `mbox`, `bibtex`, `ris`, `jsonl`, `csv`. */
  readonly explode: readonly string[];
  readonly distributions: DistributionObjects;
  readonly limits: Partial<UnnestLimits>;
}
