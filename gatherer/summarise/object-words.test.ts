import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readElf } from '../../readers/executables/index.ts';
import { readBdf } from '../../readers/fonts/index.ts';
import { scanJson } from '../../readers/json/index.ts';
import { extractOf } from '../testing/extract-reading.ts';
import { summariseXmlData } from './data/xml-data.ts';
import { summariseFramemaker } from './papers/framemaker.ts';
import { summariseLatex } from './papers/latex.ts';
import { summariseRtf } from './papers/rtf.ts';
import { summariseTexinfo } from './papers/texinfo.ts';
import type { Summariser } from './summariser.ts';
import { summariseAsciidoc } from './text/asciidoc.ts';

// Words that every object of JavaScript has as names must be no entries of a format's tables.
const documents: readonly (readonly [name: string, Summariser, source: string, text: string])[] = [
  [
    'AsciiDoc',
    summariseAsciidoc,
    'Call {constructor} and {toString} first.',
    'Call {constructor} and {toString} first.',
  ],
  ['XML', summariseXmlData, '<api><constructor>of bees</constructor></api>', 'of bees'],
  [
    'FrameMaker',
    summariseFramemaker,
    "<Para\n<String `Bees'>\n<Char constructor>\n<String ` hum'>\n>",
    'Bees hum',
  ],
  ['RTF', summariseRtf, '{\\rtf1 Bees\\constructor  hum\\par}', 'Bees hum'],
  ['Texinfo', summariseTexinfo, 'Bees @constructor{} hum.\n', 'Bees hum.'],
  [
    'LaTeX',
    summariseLatex,
    '\\documentclass{article}\n\\usepackage[constructor]{inputenc}\n\\begin{document}Bees hum.\\end{document}',
    'Bees hum.',
  ],
];

for (const [name, summarise, source, text] of documents)
  test(`${name}: names of JavaScript's objects are plain words`, async () => {
    const { body, title } = await extractOf(summarise, 'a', source);
    assert.equal(body, text);
    assert.ok(title === undefined || typeof title === 'string');
  });

test('JSON, fonts and kernel modules: names of JavaScript’s objects are plain words', () => {
  assert.equal(scanJson('constructor', { open() {}, close() {}, value() {} } as never), false);
  const font = 'STARTFONT 2.1\nSTARTPROPERTIES 2\nWEIGHT_NAME "Bold"\nSLANT "constructor"\nENDPROPERTIES\n';
  assert.equal(readBdf(Buffer.from(font)).style, 'Bold');
  const names = '\0.shstrtab\0.modinfo\0';
  const facts = 'constructor=x\0author=Bee\0';
  const bytes = Buffer.alloc(300 + facts.length);
  bytes.write('\x7fELF\x02\x01', 'latin1');
  bytes.set([64, 0, 3, 0, 1, 0], 58);
  bytes.writeUInt32LE(64, 40);
  bytes.write(names, 256);
  bytes.write(facts, 300);
  for (const [at, place] of [
    [128, [1, 256, names.length]],
    [192, [11, 300, facts.length]],
  ] as const) {
    bytes.writeUInt32LE(place[0], at);
    bytes.writeUInt32LE(place[1], at + 24);
    bytes.writeUInt32LE(place[2], at + 32);
  }
  const { fields } = readElf(bytes);
  assert.deepEqual(
    fields.filter(([, value]) => value !== '' && value !== '3' && value !== 'yes'),
    [['Author', 'Bee']],
  );
});
