// Entry of a worker thread: processes one document at a time with a pipeline of its own, and pauses after each batch
// until the next is requested.
import { parentPort, workerData } from 'node:worker_threads';
import { printToStandardError } from '../../modules/index.ts';
import { programGroup } from '../../programs/index.ts';
import { DocumentPipeline } from '../document-pipeline.ts';
import type { Product } from '../product.ts';
import { pipelineStage } from '../product.ts';
import type { FromThread, ProgramOfThread, StageOfThread, ThreadStart, ToThread } from './messages.ts';

const batchProducts = 64;
const batchCharacters = 1024 * 1024;

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');

// An operator's module may print.
printToStandardError();

const { plan, stages, holdMs } = workerData as ThreadStart;
const pipeline = new DocumentPipeline(plan);
let more: () => void = () => {};

function characters(product: Product): number {
  if (product.kind !== 'summary') return 100;
  return product.summary.attributes.reduce((sum, [name, value]) => sum + name.length + value.length, 100);
}

function post(message: FromThread | ProgramOfThread | StageOfThread): void {
  port?.postMessage(message);
}

async function work(document: Extract<ToThread, { kind: 'document' }>['document']): Promise<void> {
  let products: Product[] = [];
  let size = 0;
  let since = performance.now();
  for await (const product of pipeline.process(document)) {
    products.push(product);
    size += characters(product);
    const full = products.length >= batchProducts || size >= batchCharacters;
    // The receiver limits the time without a product.
    if (!full && performance.now() - since < holdMs) continue;
    const wanted = new Promise<void>((resolve) => {
      more = resolve;
    });
    post({ kind: 'products', products, last: false });
    products = [];
    size = 0;
    await wanted;
    since = performance.now();
  }
  post({ kind: 'products', products, last: true });
}

programGroup.subscribe((program) => post({ kind: 'program', program }));
if (stages) pipelineStage.subscribe((stage) => post({ kind: 'stage', stage }));

port.on('message', (message: ToThread) => {
  if (message.kind === 'more') return more();
  work(message.document).catch((error: unknown) => {
    post({
      kind: 'products',
      products: [],
      last: true,
      fault: error instanceof Error ? error.message : String(error),
    });
  });
});
