import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { variantsOf } from './word-variants.ts';

const variants = (text: string) => Array.from(variantsOf(text), (one) => one.text);

test('variants are the parts, the joined form, the number and the unit of words', () => {
  assert.deepEqual(variants('getUserByEmail() HTTPServerError, eth_sendRawTransaction'), [
    ...['get User By Email', 'HTTP Server Error', 'eth send Raw Transaction'],
  ]);
  assert.deepEqual(variants('Wi-Fi. GPT-3 filix-femina e‑mail'), ['WiFi', 'GPT3', 'filixfemina', 'email']);
  assert.deepEqual(variants('v1.2.3, V2.0; 10kg, 1.5GB. O’Reilly don’t'), [
    ...['1.2.3', '2.0', '10 kg', '1.5 GB', 'OReilly', 'dont'],
  ]);
  assert.deepEqual(variants('1,000 or 12,345,678, 1,000km'), ['1000', '12345678']);
  assert.deepEqual(
    variants(
      '1,2 1,0000 1234,567 1,000,5 state-of-the-art 2024-01-02 1st 2nd PDFs v2 John’s aGVsbG8gV29ybGQ a--b snake_case',
    ),
    [],
  );
});

test('a variant stands for its stretch; blanks divide texts that have the same variants apart and together', () => {
  const word = fc.string({ unit: fc.constantFrom(...'aBc1,0-_.’vO łŁ京👍'), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), (words) => {
      assert.deepEqual(variants(words.join(' ')), words.flatMap(variants));
      for (const { text, start, end } of variantsOf(words.join(' '))) assert.ok(start < end && text !== '');
    }),
  );
});

test('a long text takes time in proportion', () => {
  assert.deepEqual(variants('aB'.repeat(500_000)), []);
  assert.deepEqual(variants('a-'.repeat(500_000)), []);
});
