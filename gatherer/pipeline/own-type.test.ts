import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { defaultSummariseOptions } from '../../readers/document/index.ts';
import { gathererErrors } from '../errors.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import { SummaryDraft } from './summary-draft.ts';
import { tryDocument } from './try-document.ts';

const types = { byUrl: [], byName: [{ pattern: '\\.recipe$', type: 'Recipe' }], byContent: [] };
const plan: PipelinePlan = { ...defaultPlan, types };

async function attributesOf(bytes: Uint8Array) {
  const document = { url: 'http://x.example/soup.recipe', name: 'soup.recipe', bytes };
  return (await tryDocument(document, plan)).objects[0]?.attributes ?? {};
}

test('a text of a type of the operator’s own keeps its text', async () => {
  const attributes = await attributesOf(Buffer.from('Onion soup\n\nPeel the onions and weep.\n'));
  assert.equal(attributes.Type, 'Recipe');
  assert.ok(Object.values(attributes).some((value) => value.includes('Peel the onions')));
});

test('a document that is no text gets the plain summary without a note', async () => {
  const attributes = await attributesOf(Uint8Array.from({ length: 300 }, (_, at) => at % 7));
  assert.deepEqual(Object.keys(attributes).sort(), ['File-Size', 'MD5', 'Title', 'Type']);
});

test('the note has the error message of the summariser that found nothing', () => {
  const document = { url: 'http://x.example/a', name: 'a', bytes: Buffer.from('a') };
  const draft = new SummaryDraft(
    { ...document, type: 'Text', mediaType: 'text/plain' },
    defaultSummariseOptions,
    'text',
  );
  draft.fail(failure(gathererErrors.GATHERER_UNREADABLE, { path: 'it', reason: 'too deep' }));
  draft.fail(new TypeError('secret'));
  assert.deepEqual(draft.notes, [
    'Not summarised: it could not be read: too deep.',
    'Not summarised: it could not be read as Text (TypeError).',
  ]);
});
