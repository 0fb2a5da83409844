import type { DocumentInput } from './document.ts';
import { defaultPlan, SummaryDraft, SummaryMaker } from './pipeline/index.ts';
import { Recogniser, recognise } from './recognition/index.ts';
import {
  defaultSummariseOptions,
  type Extract,
  type RecognisedDocument,
  type SummariseOptions,
  type Summary,
} from './summariser.ts';

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
