import { type DocumentInput, partUrl } from '../../readers/document/index.ts';
import { UrlRewriter } from '../customise/index.ts';
import { carrierTypes } from '../unnest/index.ts';
import { InlineProcessor } from './inline-processor.ts';
import type { PipelinePlan } from './pipeline-plan.ts';
import type { DocumentProcessor } from './product.ts';
import { type PipelineStage, pipelineStage } from './product.ts';
import { ThreadProcessor } from './threads/thread-processor.ts';
import type { ThreadBounds } from './threads/worker-thread.ts';

/** The result of processing one document, stage by stage. */
export interface TryReport {
  readonly type: string;
  readonly stages: readonly Omit<PipelineStage, 'url'>[];
  readonly objects: readonly {
    readonly template: 'FILE';
    readonly url: string;
    readonly attributes: Readonly<Record<string, string>>;
  }[];
  /** Documents inside it that could not be taken out, with reasons. */
  readonly refused: readonly { readonly part: string; readonly code: string; readonly reason: string }[];
}

/** A minute and 512 MiB. */
const defaultBounds: ThreadBounds = { seconds: 60, heapMiB: 512 };

/** Run one document through the pipeline and store nothing. `bounds` are for modules. Throws RULE_*. */
export async function tryDocument(
  document: DocumentInput,
  plan: PipelinePlan,
  bounds = defaultBounds,
): Promise<TryReport> {
  await using processor: DocumentProcessor =
    plan.customise.modules.length > 0
      ? new ThreadProcessor({ plan, ...bounds, threads: 1, stages: true })
      : new InlineProcessor(plan);
  const stages: Omit<PipelineStage, 'url'>[] = [];
  const objects: TryReport['objects'][number][] = [];
  const refused: TryReport['refused'][number][] = [];
  const published = new UrlRewriter(plan.rewrite).published(document.url);
  const stop = pipelineStage.subscribe(({ url: _, ...stage }) => stages.push(stage));
  try {
    for await (const product of processor.process(document)) {
      const { part } = product;
      if (product.kind === 'refused') refused.push({ part, code: product.code, reason: product.reason });
      if (product.kind !== 'summary') continue;
      const attributes = Object.fromEntries(product.summary.attributes);
      const object = { template: 'FILE', url: partUrl(published, part), attributes } as const;
      // What a document carries comes after it, though it was read before.
      if (part === '' && carrierTypes.has(attributes.Type ?? '')) objects.unshift(object);
      else objects.push(object);
    }
  } finally {
    stop();
  }
  const outermost = stages.find(({ stage, part }) => stage === 'recognise' && part === '');
  return { type: outermost?.result.split(',')[0] ?? 'Unrecognized', stages, objects, refused };
}
