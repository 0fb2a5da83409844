import {
  type DocumentInput,
  defaultSummariseOptions,
  type Extract,
  type RecognisedDocument,
  type SummariseOptions,
} from '../../readers/document/index.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { SummaryDraft } from '../pipeline/summary-draft.ts';
import { SummaryMaker } from '../pipeline/summary-maker.ts';
import { Recogniser, recognise } from '../recognise/recognise.ts';
import type { Summary } from '../summarise/summariser.ts';

/** The summary of a document by a summariser that does not wait for anything, for tests. */
export function summaryOf(
  summariser: (document: RecognisedDocument, options: SummariseOptions) => Extract,
  document: DocumentInput,
  options: Partial<SummariseOptions> = {},
): Summary {
  const settled = { ...defaultSummariseOptions, ...options };
  const draft = new SummaryDraft({ ...document, ...recognise(document) }, settled, 'text');
  if (draft.readable !== undefined) draft.take(summariser(draft.readable, settled));
  return draft.summary();
}

/** The summary of a document as the pipeline makes it, for tests. */
export async function summarise(
  document: DocumentInput,
  options: Partial<SummariseOptions> = {},
): Promise<Summary> {
  const plan = { ...defaultPlan, summarise: { ...defaultSummariseOptions, ...options } };
  const recognised = new Recogniser(plan.types).recognise(document);
  const { summary } = await new SummaryMaker(plan).summary(recognised, []);
  if (summary === undefined) throw new Error('a rule deleted it');
  return summary;
}
