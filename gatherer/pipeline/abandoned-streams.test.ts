import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DocumentInput } from '../../readers/document/index.ts';
import { Site } from '../testing/folder-site.ts';
import { InlineProcessor } from './inline-processor.ts';
import type { DocumentProcessor, Product } from './product.ts';

/** Counts the documents in work; `onBegin` is called for each. */
class Counted implements DocumentProcessor {
  readonly width = 4;
  readonly #inline: InlineProcessor;
  open = 0;
  begun = 0;
  onBegin: () => void = () => undefined;

  constructor(inline: InlineProcessor) {
    this.#inline = inline;
  }

  // Ignores the signal, like a stream that waits for a reader.
  async *process(document: DocumentInput): AsyncGenerator<Product> {
    this.open++;
    this.begun++;
    try {
      this.onBegin();
      yield* this.#inline.process(document);
    } finally {
      this.open--;
    }
  }

  async rest(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}

test('no document stays in work when a run is over, or was broken off', async () => {
  await using site = await Site.make();
  let counted: Counted | undefined;
  site.processor = (plan) => {
    counted = new Counted(new InlineProcessor(plan));
    return counted;
  };
  await site.reopen();
  assert.ok(counted !== undefined);
  const { processor } = site.gatherer.options;
  assert.equal(processor, counted);
  for (let n = 0; n < 12; n++) await site.page(`${n}.html`, `Page ${n}`);
  const stop = new AbortController();
  counted.onBegin = () => {
    if (counted?.begun === 3) stop.abort();
  };
  const broken = await site.gatherer.run(stop.signal);
  assert.equal(broken.complete, false);
  assert.ok(counted.begun >= 3);
  assert.equal(counted.open, 0);
  const whole = await site.gatherer.run();
  assert.deepEqual([whole.complete, counted.open], [true, 0]);
  assert.equal((await site.titles()).length, 12);
});
