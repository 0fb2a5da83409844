import { defaultSummariseOptions, type SummariseOptions } from '../../readers/document/index.ts';
import { type Customisation, noCustomisation, type UrlRewrite } from '../customise/index.ts';
import { noTypeTables, type SiblingRule, type TypeTables } from '../recognise/index.ts';
import type { DistributionObjects } from '../settings.ts';
import type { UnnestLimits } from '../unnest/settings.ts';
import type { TypeSelection } from './select.ts';

/** Everything is opened and summarised as Garner does it. */
export const defaultPlan: PipelinePlan = {
  summarise: defaultSummariseOptions,
  selection: {},
  siblings: [],
  types: noTypeTables,
  unnest: { open: true, explode: ['mbox', 'bibtex', 'ris'], distributions: 'one', limits: {} },
  customise: noCustomisation,
  rewrite: [],
};

/** How documents become summaries, as plain data: it travels to other threads, and its digest is the profile. */
export interface PipelinePlan {
  readonly summarise: SummariseOptions;
  readonly selection: TypeSelection;
  readonly siblings: readonly SiblingRule[];
  /** The operator's own recognition rules, before Garner's. */
  readonly types: TypeTables;
  readonly unnest: UnnestPlan;
  readonly customise: Customisation;
  /** Where documents are published; the Gatherer applies it, and a change of it makes all be read anew. */
  readonly rewrite: readonly UrlRewrite[];
}

export interface UnnestPlan {
  /** False leaves every wrapper packed: its summary is its listing. */
  readonly open: boolean;
  /** Files of many objects that are taken apart: `mbox`, `bibtex`, `ris`, `jsonl`, `csv`. */
  readonly explode: readonly string[];
  readonly distributions: DistributionObjects;
  readonly limits: Partial<UnnestLimits>;
}
