import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateOfString, textOfString } from './file/strings.ts';
import { readCMap } from './fonts/cmap.ts';
import { encodingNamed } from './fonts/encodings.ts';
import { codeOfGlyph, textOfGlyph } from './fonts/glyph-names.ts';

test('glyph names become their text', () => {
  const expected: readonly (readonly [string, string | undefined])[] = [
    ['A', 'A'],
    ['space', ' '],
    ['eacute', 'é'],
    ['Scaron', 'Š'],
    ['Lslash', 'Ł'],
    ['ohungarumlaut', 'ő'],
    ['fi', 'fi'],
    ['f_f_i', 'ffi'],
    ['uni20AC', '€'],
    ['uni00410042', 'AB'],
    ['u1F600', '😀'],
    ['a.sc', 'a'],
    ['oneoldstyle', '1'],
    ['afii10017', 'А'],
    ['afii10023', 'Ё'],
    ['afii10049', 'Я'],
    ['afii10065', 'а'],
    ['afii10071', 'ё'],
    ['afii10097', 'я'],
    ['afii10055', 'І'],
    ['afii10110', 'ў'],
    ['backslash', '\\'],
    ['quoteleft', '‘'],
    ['emdash', '—'],
    ['g123', undefined],
    ['uniD800', undefined],
    ['x'.repeat(100), undefined],
  ];
  for (const [name, text] of expected) assert.equal(textOfGlyph(name), text, name);
  assert.equal(codeOfGlyph('a65'), 65);
  assert.equal(codeOfGlyph('G41'), 0x41);
});

test('encodings agree with annex D', () => {
  const at = (name: string, code: number) => encodingNamed(name)?.[code];
  assert.equal(at('StandardEncoding', 0x27), '’');
  assert.equal(at('StandardEncoding', 0xae), 'fi');
  assert.equal(at('StandardEncoding', 0xe1), 'Æ');
  assert.equal(at('StandardEncoding', 0xfb), 'ß');
  assert.equal(at('StandardEncoding', 0xd0), '—');
  assert.equal(at('StandardEncoding', 0xbf), '¿');
  assert.equal(at('WinAnsiEncoding', 0x80), '€');
  assert.equal(at('WinAnsiEncoding', 0xe9), 'é');
  assert.equal(at('MacRomanEncoding', 0x8e), 'é');
  assert.equal(at('Symbol', 0x61), 'α');
  assert.equal(at('Symbol', 0xa5), '∞');
  assert.equal(at('Symbol', 0xf2), '∫');
  assert.equal(at('Symbol', 0xd5), '∏');
  assert.equal(at('Symbol', 0xe5), '∑');
});

test('character maps: single codes, ranges, lists, ligatures', () => {
  const map = readCMap(
    Buffer.from(
      '1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <01> <0041> <02> <D83DDE00> endbfchar ' +
        '3 beginbfrange <10> <12> <0061> <20> <21> [<0031> <00660069>] <30> <32> <FB00> endbfrange ' +
        '1 begincidrange <0000> <00ff> 7 endcidrange',
    ),
  );
  const texts = [1, 2, 0x10, 0x12, 0x20, 0x21, 0x30, 0x31, 0x32].map((code) => map.texts.get(code));
  assert.deepEqual(texts, ['A', '😀', 'a', 'c', '1', 'fi', 'ff', 'fi', 'fl']);
  assert.equal(map.characters.get(0xff), 0xff + 7);
  assert.deepEqual(map.spaces, [{ bytes: 1, low: 0, high: 255 }]);
});

test('a range as wide as all codes ends at a bound', () => {
  const range = '1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange ';
  assert.ok(readCMap(Buffer.from(range.repeat(20))).texts.size <= 200_000);
});

test('text strings and dates', () => {
  assert.equal(textOfString('\xfe\xff\x00A\x20\xac'), 'A€');
  assert.equal(textOfString('\xef\xbb\xbf\xc3\xa9'), 'é');
  assert.equal(textOfString('na\xefve \x84 \x93'), 'naïve — fi');
  assert.equal(dateOfString("D:19940829120000-06'00'"), '1994-08-29T12:00:00-06:00');
  assert.equal(dateOfString('D:20200131235900Z'), '2020-01-31T23:59:00Z');
  assert.equal(dateOfString('D:2020'), '2020');
  assert.equal(dateOfString('D:202013'), undefined);
  assert.equal(dateOfString('yesterday'), undefined);
});
