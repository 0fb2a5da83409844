import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decodedName,
  encodedName,
  entriesIn,
  entriesInSync,
  osPath,
  shownName,
  textOfName,
} from './file-names.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('every name has one text, one path and one segment of a URL', () => {
  const same = (bytes: Buffer) => {
    const name = textOfName(bytes);
    assert.deepEqual(Buffer.from(osPath(name)), bytes);
    assert.equal(decodedName(encodedName(name)), name);
    assert.match(encodedName(name), /^[\x21-\x7e]*$/);
  };
  const table: readonly (readonly [bytes: Buffer, segment: string, shown: string])[] = [
    [latin1('l\xe9.txt'), 'l%E9.txt', 'lé.txt'],
    [latin1('Pr\xfcfung f\xfcr M\xe4rz.html'), 'Pr%FCfung%20f%FCr%20M%E4rz.html', 'Prüfung für März.html'],
    [Buffer.from('é\u{1f600}'), '%C3%A9%F0%9F%98%80', 'é\u{1f600}'],
    [Buffer.concat([Buffer.from('é'), latin1('\xe9')]), '%C3%A9%E9', 'Ã©é'],
    [latin1('\x90V\x82\xb5\x82\xa2\x95\x5c.txt'), '%90V%82%B5%82%A2%95%5C.txt', '新しい表.txt'],
    [latin1('\xed\xa0\x80'), '%ED%A0%80', shownName(textOfName(latin1('\xed\xa0\x80')))],
    [Buffer.from('\ufffd'), '%EF%BF%BD', '\ufffd'],
    [latin1('100%\xe9'), '100%25%E9', '100%é'],
    [latin1('\xff'), '%FF', 'ÿ'],
  ];
  for (const [bytes, segment, shown] of table) {
    same(bytes);
    const name = textOfName(bytes);
    assert.deepEqual([encodedName(name), shownName(name)], [segment, shown]);
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => same(Buffer.from(bytes))));
  assert.throws(() => decodedName('a%'), URIError);
  assert.throws(() => decodedName('%E9%zz'), URIError);
});

test('the entries of a folder have the names that lead to them, read at once or not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garner-names-'));
  try {
    const written = [latin1('l\xe9.txt'), Buffer.from('é.txt'), Buffer.from('plain'), Buffer.from('\ufffd')];
    const paths = written.map((name) => Buffer.concat([Buffer.from(`${folder}/`), name]));
    for (const path of paths) writeFileSync(path, 'words');
    const names = written.map(textOfName).sort();
    for (const found of [await entriesIn(folder), entriesInSync(folder)])
      assert.deepEqual(found.map(({ name }) => name).sort(), names);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
