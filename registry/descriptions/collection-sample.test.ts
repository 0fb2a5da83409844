import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryObject } from '../../soif/index.ts';
import { tellingWords } from './collection-sample.ts';

const page = (text: string, language: string) =>
  summaryObject('https://a.example/', [
    ['Title', text.slice(0, 20)],
    ['Full-Text', text],
    ['Language', language],
  ]);

test('the topic of a collection is words that many of its objects have and other texts do not', () => {
  const english = Array.from({ length: 20 }, (_, at) =>
    page(`The harbour master of quay ${at} can print a new file with this tide table for the ships`, 'en'),
  );
  const found = tellingWords(english);
  assert.ok(found.length <= 8);
  for (const word of ['harbour', 'tide', 'quay']) assert.ok(found.includes(word), found.join());
  for (const word of ['the', 'with', 'this', 'file', '7']) assert.ok(!found.includes(word), found.join());

  const german = Array.from({ length: 20 }, (_, at) =>
    page(`Die Gezeiten und der Hafen werden von den Lotsen am Kai ${at} nach der Tafel erwartet`, 'de'),
  );
  const words = tellingWords(german);
  for (const word of ['gezeiten', 'hafen', 'lotsen']) assert.ok(words.includes(word), words.join());
  for (const word of ['und', 'der', 'die', 'von']) assert.ok(!words.includes(word), words.join());
  assert.deepEqual(tellingWords([]), []);
});
