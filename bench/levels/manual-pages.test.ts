import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { manualPagesByLanguage } from './manual-pages.ts';

const german =
  'Dieses Programm liest eine Datei und schreibt alle Zeilen, die nicht leer sind, auf die Standardausgabe. Wenn keine Datei angegeben ist, wird von der Standardeingabe gelesen.';
const english =
  'This program reads a file and writes every line that is not empty to standard output. When no file is given, it reads standard input.';

const page = (about: string, text: string) =>
  gzipSync(`.TH X 1\n.SH BEZEICHNUNG\nx \\- ${about}\n.SH BESCHREIBUNG\n${text}\n`);

test('pages in the language of their folder are read, without the line that describes them', async () => {
  const root = await mkdtemp(join(tmpdir(), 'garner-manual-pages-'));
  try {
    const folder = join(root, 'de', 'man1');
    await mkdir(folder, { recursive: true });
    await mkdir(join(root, 'man1'));
    await writeFile(join(folder, 'x.1.gz'), page('leere Zeilen weglassen', german));
    await writeFile(join(folder, 'y.1.gz'), page('leere Zeilen weglassen', english));
    const found = await manualPagesByLanguage(root);
    assert.deepEqual([...found.keys()], ['de']);
    const [only, ...more] = found.get('de') ?? [];
    assert.deepEqual([only?.name, only?.about, more], ['x.1', 'leere Zeilen weglassen', []]);
    assert.match(only?.text ?? '', /Dieses Programm/);
    assert.doesNotMatch(only?.text ?? '', /weglassen/);
  } finally {
    await rm(root, { recursive: true });
  }
});
