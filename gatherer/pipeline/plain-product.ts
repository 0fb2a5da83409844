import type { DocumentInput } from '../../readers/document/index.ts';
import { gathererErrors } from '../errors.ts';
import { Recogniser } from '../recognise/index.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import type { Product } from './product.ts';
import { SummaryDraft } from './summary-draft.ts';

/** The products of an abandoned document: a refusal and, unless `hasProducts`, a noted plain summary. */
export function* plainProduct(
  document: DocumentInput,
  plan: PipelinePlan,
  why: string,
  hasProducts: boolean,
): Iterable<Product> {
  yield {
    kind: 'refused',
    part: '',
    code: gathererErrors.GATHERER_GIVEN_UP.code,
    reason: why,
    passing: true,
  };
  if (hasProducts) return;
  const recognised = new Recogniser(plan.types).recognise(document);
  const draft = new SummaryDraft(recognised, plan.summarise, undefined);
  draft.note(`Not summarised: ${why}.`);
  yield { kind: 'summary', part: '', summary: draft.summary(), passing: true };
}
