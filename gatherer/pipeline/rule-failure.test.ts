import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PostRule } from '../customise/post-rules.ts';
import { summaryReduced } from '../summarise/events.ts';
import { DocumentPipeline } from './document-pipeline.ts';
import { defaultPlan } from './pipeline-plan.ts';

const bytes = Buffer.from('<title>Salaries</title><meta name=author content=somebody><p>text');

/** The one product of a page under these rules, as its kind and attributes. */
async function ruled(...rules: readonly PostRule[]) {
  const pipeline = new DocumentPipeline({ ...defaultPlan, customise: { ...defaultPlan.customise, rules } });
  for await (const product of pipeline.process({ url: 'http://x.example/a.html', name: 'a.html', bytes })) {
    const attributes = product.kind === 'summary' ? product.summary.attributes : [];
    return { kind: product.kind, passing: product.passing, values: new Map(attributes) };
  }
  throw new assert.AssertionError({ message: 'there was no product' });
}

const absent: PostRule = {
  instructions: [{ kind: 'pipe', name: 'Title', command: ['/nowhere/tidy'] }],
};

test('rules that delete and remove apply although programs before or after them fail', async () => {
  const reasons: string[] = [];
  const stop = summaryReduced.subscribe((event) => reasons.push(...event.reasons));
  const remove: PostRule = { instructions: [{ kind: 'remove', name: 'Author' }] };
  const note =
    'The program /nowhere/tidy cannot be started. Left out, because a rule could not be applied: Title.';
  for (const rules of [
    [absent, remove],
    [remove, absent],
  ]) {
    const { kind, passing, values } = await ruled(...rules);
    assert.deepEqual([kind, passing], ['summary', true]);
    assert.deepEqual(
      ['Author', 'Title', 'Summary-Note'].map((name) => values.get(name)),
      [undefined, undefined, note],
    );
  }
  stop();
  assert.deepEqual(reasons, [note, note]);
  const deleted = await ruled(absent, {
    condition: 'Title ~ /Salaries/',
    instructions: [{ kind: 'delete' }],
  });
  assert.equal(deleted.kind, 'left-out');
});

test('when a program prints no SOIF, the attributes to filter are left out', async () => {
  const { values } = await ruled({
    instructions: [{ kind: 'filter', names: ['Author', 'Title'], command: ['printf', '@FILE {'] }],
  });
  assert.deepEqual([values.get('Author'), values.get('Title')], [undefined, undefined]);
  assert.match(values.get('Summary-Note') ?? '', /the filter printed no valid attributes.*Author, Title\.$/);
});
