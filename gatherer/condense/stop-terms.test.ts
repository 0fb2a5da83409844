import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functionWords } from '../../query/index.ts';
import { stopTerms } from './stop-terms.ts';

test('at least fifteen languages, each with fifty stop words or more', () => {
  const languages = Object.keys(functionWords);
  assert.ok(languages.length >= 15);
  for (const language of languages) assert.ok(stopTerms(language).size >= 50, language);
  assert.equal(stopTerms('tlh').size, 0);
  assert.equal(stopTerms(undefined).size, 0);
});
