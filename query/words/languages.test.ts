import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageNamed, languages } from './languages.ts';

test('codes, tags and names mean a language', () => {
  const meant: readonly (readonly [string, string | undefined])[] = [
    ...([
      ['de', 'de'],
      ['de-AT', 'de'],
      ['DE_at.UTF-8', 'de'],
      ['German', 'de'],
      ['deu', 'de'],
      ['deutsch', 'de'],
    ] as const),
    ...([
      ['Français', 'fr'],
      ['nb-NO', 'no'],
      ['pt_BR', 'pt'],
      ['русский', 'ru'],
      ['zh-Hans', 'zh'],
    ] as const),
    ...([
      ['en, de', 'en'],
      ['  (Dutch)', 'nl'],
      ['tlh', undefined],
      ['', undefined],
      ['42', undefined],
    ] as const),
    ...([
      ['constructor', undefined],
      ['x'.repeat(100_000), undefined],
    ] as const),
  ];
  for (const [text, language] of meant) assert.equal(languageNamed(text), language, text.slice(0, 40));
  for (const language of languages) assert.equal(languageNamed(language), language);
});
