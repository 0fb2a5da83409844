import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encoded } from '../testing/encoded.ts';
import { mutated } from '../testing/mutated.ts';
import { byteOrder, decodeLabelled, decodeMail, decodeText, NameDecoder, rescuer } from './index.ts';

const texts: readonly (readonly [charset: string, text: string])[] = [
  ['windows-1252', 'Ça coûte 5 € – « l’été » n’est pas cher à Genève…'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy, řekl Šimon.'],
  ['windows-1251', 'Таблица приливов и отливов в порту'],
  ['koi8-r', 'Таблица приливов и отливов в порту'],
  ['ibm866', 'Таблица приливов и отливов в порту'],
  ['windows-1253', 'Ο πίνακας της παλίρροιας στο λιμάνι'],
  ['windows-1254', 'Limandaki gelgit çizelgesi balıkçılar için önemlidir, değişir.'],
  ['shift_jis', '新しい表：港の潮汐表について説明する。'],
  ['euc-jp', '日本語の港の潮汐表について説明する。'],
  ['gb18030', '港口的潮汐表说明了每天的高潮和低潮时间。'],
  ['big5', '港口的潮汐表說明了每天的高潮和低潮時間。'],
  ['euc-kr', '항구의 조석표는 매일의 만조와 간조 시각을 설명한다.'],
];

test('text without a label is recognised by statistics, in the charsets of twelve languages', () => {
  for (const [charset, text] of texts) {
    const found = decodeLabelled(encoded(text, charset));
    assert.equal(found.text, text, charset);
    assert.equal(found.by, 'statistics', charset);
  }
});

test('a label decides unless the bytes refute it; one that names nothing is no label', () => {
  for (const [charset, text] of texts) {
    const bytes = encoded(text, charset);
    const labelled = decodeLabelled(bytes, { header: charset });
    assert.deepEqual([labelled.text, labelled.by, labelled.refuted], [text, 'header', []], charset);
    const wrong = decodeLabelled(bytes, { header: 'utf-8', declared: charset });
    assert.deepEqual([wrong.text, wrong.by, wrong.refuted], [text, 'declaration', ['utf-8']], charset);
    for (const header of ['x-unknown', 'charset', 'utf-8', '8bit', 'iso-2022-jp', 'utf-16'])
      assert.equal(decodeText(bytes, header), text, `${charset} labelled ${header}`);
  }
  for (const [charset, text] of texts.slice(1))
    assert.equal(decodeText(encoded(text, charset), 'iso-8859-1'), text, `${charset} labelled iso-8859-1`);
});

test('each rung decides where none above it does', () => {
  const [, russian] = texts[2] as readonly [string, string];
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  const coded = encoded(russian, 'windows-1251');
  const declared = 'windows-1251';
  const table: readonly (readonly [
    bytes: Uint8Array,
    labels: Parameters<typeof decodeLabelled>[1],
    text: string,
    charset: string,
    by: string,
  ])[] = [
    [Buffer.from('\ufeffZoë'), { header: 'koi8-r', declared }, 'Zoë', 'utf-8', 'byte order mark'],
    [utf16('\ufeffZoë'), { header: 'utf-8', declared }, 'Zoë', 'utf-16le', 'byte order mark'],
    [utf16('\ufeffZoë').swap16(), { header: 'utf-8' }, 'Zoë', 'utf-16be', 'byte order mark'],
    [coded, { header: declared, declared: 'utf-8' }, russian, declared, 'header'],
    [coded, { header: 'utf-8', declared }, russian, declared, 'declaration'],
    [utf16('Zoë'), { header: 'utf-8', declared }, 'Zoë', 'utf-16le', 'zero bytes of UTF-16'],
    [utf16('Zoë').swap16(), {}, 'Zoë', 'utf-16be', 'zero bytes of UTF-16'],
    [Buffer.from('\x1b$B@x\x1b(B tide'), { header: 'utf-8' }, '潜 tide', 'iso-2022-jp', 'escape sequences'],
    [Buffer.from(russian), { header: 'koi8-r', declared }, russian, 'utf-8', 'valid UTF-8'],
    [
      Buffer.concat([Buffer.from('Sørensen, Žižek, “Ångström”, Kó\n'), encoded('Jörg', 'windows-1252')]),
      {},
      'Sørensen, Žižek, “Ångström”, Kó\nJörg',
      'utf-8',
      'UTF-8 but for single lines',
    ],
    [coded, { header: 'x-none', declared: 'utf-8' }, russian, declared, 'statistics'],
    [encoded('Zoë', 'windows-1252'), {}, 'Zoë', 'windows-1252', 'default'],
  ];
  for (const [bytes, labels, text, charset, by] of table) {
    const found = decodeLabelled(bytes, labels);
    assert.deepEqual([found.text, found.charset, found.by], [text, charset, by]);
  }
});

test('where header and declaration differ and the bytes allow both, the statistics decide', () => {
  const [, russian] = texts[2] as readonly [string, string];
  const small = russian.toLowerCase();
  for (const charset of ['windows-1251', 'koi8-r'])
    for (const [header, declared] of [
      ['windows-1251', 'koi8-r'],
      ['koi8-r', 'windows-1251'],
    ] as const) {
      const found = decodeLabelled(encoded(small, charset), { header, declared });
      const by = header === charset ? 'header' : 'declaration';
      assert.deepEqual([found.text, found.by, found.refuted], [small, by, []], `${charset}: ${header}`);
    }
});

test('labels as programs write them', () => {
  const written = ['cp1251', 'win-1251', 'CP-1251', 'windows1251', 'x-cp1251', ' Windows-1251 '];
  const [, text] = texts[2] as readonly [string, string];
  for (const header of written)
    assert.equal(decodeLabelled(encoded(text, 'windows-1251'), { header }).by, 'header', header);
  for (const header of ['cp932', 'Windows-31J', 'x-sjis', 'MS932', 'sjis', 'Shift-JIS'])
    assert.equal(decodeLabelled(encoded('表示の例', 'shift_jis'), { header }).by, 'header', header);
  assert.equal(decodeLabelled(Buffer.from('é'), { header: 'windows-1259' }).by, 'valid UTF-8');
});

test('windows-1252 has its quotation marks and its euro, where a label says ISO-8859-1 too', () => {
  const bytes = Uint8Array.of(0x93, 0x49, 0x74, 0x92, 0x73, 0x94, 0x20, 0x80, 0x35);
  for (const label of ['windows-1252', 'iso-8859-1', 'latin1', 'us-ascii', undefined])
    assert.equal(decodeText(bytes, label), '“It’s” €5', label);
});

test('editors’ lines in the first two lines declare a charset', () => {
  const lines = [
    '# -*- coding: euc-jp -*-',
    '#!/bin/sh\n# vim: set fileencoding=euc-jp :',
    '@charset "euc-jp";',
  ];
  for (const line of lines) {
    const found = decodeLabelled(
      Buffer.concat([Buffer.from(line), Buffer.from('\n# '), encoded('潮汐', 'euc-jp')]),
    );
    assert.deepEqual([found.text, found.by], [`${line}\n# 潮汐`, 'declaration']);
  }
});

test('text in UTF-8 but for single lines or bytes keeps its UTF-8', () => {
  const latin = (text: string) => encoded(text, 'windows-1252');
  const utf8 = (text: string) => Buffer.from(text);
  const log = [utf8('Sørensen — fixed\n'), utf8('Kó Zsolt\n'), latin('Jörg Walter\n'), utf8('Žižek\n')];
  assert.equal(decodeText(Buffer.concat(log)), 'Sørensen — fixed\nKó Zsolt\nJörg Walter\nŽižek\n');
  for (const label of ['utf-8', 'iso-8859-1'])
    assert.match(decodeText(Buffer.concat(log), label), /^Sørensen — fixed\n/);
  const line = Buffer.concat([utf8('Žižek, Sørensen, Kó, “Ångström”, naïve, '), latin('Jörg'), utf8(', ñ')]);
  assert.equal(decodeText(line), 'Žižek, Sørensen, Kó, “Ångström”, naïve, Jörg, ñ');
  // With few characters the text that makes more sense.
  const few = Buffer.concat([utf8('Sørensen – “Ångström” naïve\n'), latin('Jörg für März\n')]);
  assert.equal(decodeText(few), 'Sørensen – “Ångström” naïve\nJörg für März\n');
  assert.equal(
    decodeText(Buffer.concat([utf8('“été” — naïve'), Uint8Array.of(0xe2, 0x80), utf8(' x')])),
    '“été” — naïve\ufffd x',
  );
});

test('lines that end in CR alone are MacRoman, if their letters are Latin', () => {
  const text = 'Déjà vu au port\r• été français\rCañon — “naïve”\r';
  assert.equal(decodeText(encoded(text, 'macintosh')), text);
  assert.equal(decodeText(encoded('Zoë\r', 'macintosh')), 'Zoë\r');
});

test('text of DOS is in code page 850, in five languages and in a few words', () => {
  const dos: readonly (readonly [bytes: string, text: string])[] = [
    ['M\x81ller, f\x81r die B\x81cher danke ich Ihnen.\r\n', 'Müller, für die Bücher danke ich Ihnen.\r\n'],
    [
      'Nous avons bien re\x87u les manuscrits d\x82pos\x82s \x85 la biblioth\x8aque.',
      'Nous avons bien reçu les manuscrits déposés à la bibliothèque.',
    ],
    [
      'El se\xa4or Mu\xa4oz lleg\xa2 a la universidad y habl\xa2 de educaci\xa2n.',
      'El señor Muñoz llegó a la universidad y habló de educación.',
    ],
    [
      'A universidade n\xc6o \x82 p\xa3blica. As informa\x87\xe4es est\xc6o aqui.',
      'A universidade não é pública. As informações estão aqui.',
    ],
    [
      'B\x84sta v\x84n, jag har f\x86tt b\x94ckerna fr\x86n G\x94teborg.',
      'Bästa vän, jag har fått böckerna från Göteborg.',
    ],
    ['Brief an Herrn M\x81ller', 'Brief an Herrn Müller'],
  ];
  for (const [bytes, text] of dos)
    for (const header of [undefined, 'ibm850', 'iso-8859-1'])
      assert.equal(decodeText(Buffer.from(bytes, 'latin1'), header), text, header);
  for (const text of [
    'Müller, für die Bücher danke ich.\n',
    'reçu les manuscrits déposés à la bibliothèque.',
  ])
    for (const charset of ['macintosh', 'windows-1252'])
      assert.equal(decodeText(encoded(text, charset)), text, charset);
});

test('ISO-2022-JP is seen by its escape sequences', () => {
  const bytes = Buffer.from('\x1b$B@x\x1b(B tide');
  for (const label of [undefined, 'utf-8', 'iso-2022-jp', 'iso-8859-1'])
    assert.match(decodeText(bytes, label), /^\p{Script=Han} tide$/u, label);
});

test('HZ and ISO-2022-KR are seen by their escape sequences, and not in programs', () => {
  const [hz, korean] = ['~{8[?Z5D31O+1m~} tide ~~', '\x1b$)C\x0eG\x57\x31\x38\x0f tide'];
  for (const label of [undefined, 'utf-8', 'us-ascii']) {
    assert.equal(decodeText(Buffer.from(hz), label), '港口的潮汐表 tide ~', label);
    assert.equal(decodeText(Buffer.from(korean), label), '항구 tide', label);
  }
  for (const code of ['(format t "~{~a~^, ~}")', 'x =~{abcd}~}', '~{item one~}'])
    assert.equal(decodeText(Buffer.from(code)), code);
});

test('Korean has all syllables of windows-949, whatever of its labels is used', () => {
  const bytes = Uint8Array.of(0xc7, 0xd7, 0xb1, 0xb8, 0x20, 0x94, 0xee, 0x8c, 0x63, 0xc6, 0x52, 0x81, 0x41);
  for (const label of ['euc-kr', 'ks_c_5601-1987', 'windows-949', 'x-windows-949', 'uhc', 'cp949'])
    assert.equal(decodeText(bytes, label), '항구 뷁똠힣갂', label);
});

test('text of DOS is seen by its letters and its boxes, and labels name its code pages', () => {
  const text = 'Die Größe der Datei für die Prüfung wäre schön.\r\n';
  assert.equal(decodeText(encoded(text, 'cp850')), text);
  for (const label of ['cp850', 'IBM850', '850', 'cp858', 'cp437', 'ibm437'])
    assert.equal(decodeText(encoded('für Größe', 'cp850'), label), 'für Größe', label);
  assert.equal(decodeText(encoded('╔══════╗\r\n║ Müll ║\r\n', 'cp437')), '╔══════╗\r\n║ Müll ║\r\n');
  const russian = '╔══════╗\r\n║ Таблица приливов и отливов ║\r\n';
  assert.equal(decodeText(encoded(russian, 'ibm866')), russian);
  for (const latin of ['“foo”bar — ÄÄÄÄÄH', 'Él “dijo”—¡qué cañón!', 'vrai… l’été'])
    assert.equal(decodeText(encoded(latin, 'windows-1252')), latin);
});

test('a few words among much English on a line show their charset', () => {
  const english = 'The command reads a table of tides and prints the height for each harbour of a coast. ';
  for (const [charset, words] of [...texts.slice(2, 6), ...texts.slice(7)]) {
    const text = english.repeat(8) + words.slice(0, 30) + english.repeat(8);
    assert.equal(decodeText(encoded(text, charset)), text, charset);
  }
});

test('UTF-16 without a mark is seen by its letters of ASCII; numbers of two bytes are none', () => {
  for (const text of ['名前,説明\r\n表,潮汐表\r\n', 'Größe', 'Таблица приливов и отливов в порту'])
    for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()])
      assert.equal(decodeText(bytes), text);
  for (const numbers of [
    [1, 2, 3, 4],
    [65, 66, 1, 2],
    [0, 0, 0, 65],
    [0x2c61, 0x62, 0x2c61, 0x6161, 0x6161],
  ])
    assert.equal(byteOrder(Buffer.from(Uint16Array.from(numbers).buffer)), undefined, `${numbers}`);
});

test('several byte order marks at the beginning are no text', () => {
  assert.equal(decodeText(Buffer.from('\ufeff\ufeff# Title')), '# Title');
});

test('valid UTF-8 is never taken for anything else, whatever the label', () => {
  const labels = [
    undefined,
    'iso-8859-1',
    'windows-1251',
    'koi8-r',
    'shift_jis',
    'gbk',
    'big5',
    'euc-kr',
    'utf-16',
  ];
  for (const [, text] of texts)
    for (const label of labels) assert.equal(decodeText(Buffer.from(text), label), text, label);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...labels.slice(0, 4)), (text, label) => {
      fc.pre(!text.startsWith('\ufeff') && !text.includes('\0') && !text.includes('\x1b'));
      assert.equal(decodeText(Buffer.from(text), label), text);
    }),
  );
});

test('any bytes with any labels become text', () => {
  const labels = fc.option(fc.constantFrom('utf-8', 'gbk', 'koi8-r', 'iso-8859-2', 'utf-16le', 'x'), {
    nil: undefined,
  });
  const files = texts.map(([charset, text]) => encoded(text, charset));
  fc.assert(
    fc.property(
      fc.oneof(mutated(files), fc.uint8Array({ maxLength: 200 })),
      labels,
      labels,
      (bytes, header, declared) => {
        assert.equal(typeof decodeText(bytes, header, declared), 'string');
        assert.equal(typeof decodeMail(bytes, 'utf-7'), 'string');
        assert.equal(typeof new NameDecoder().decode(bytes), 'string');
      },
    ),
    { numRuns: 200 },
  );
});

test('UTF-7 is read in mail alone', () => {
  for (const [coded, text] of [
    ['Gr+APwA3w-e aus K+APY-ln', 'Grüße aus Köln'],
    ['1 +- 1', '1 + 1'],
    ['Hi Mom +Jjo--!', 'Hi Mom ☺-!'],
    ['+ZeVnLIqe', '日本語'],
  ] as const) {
    assert.equal(decodeMail(Buffer.from(coded), 'utf-7'), text);
    assert.equal(decodeText(Buffer.from(coded), 'utf-7'), coded);
  }
});

test('names of one archive are decoded by all of them, and tags by all tags', () => {
  const names = new NameDecoder();
  const japanese = ['新しい表.txt', '表.txt', '港の潮汐.doc'].map((name) => encoded(name, 'shift_jis'));
  for (const name of japanese) names.add(name);
  assert.deepEqual(
    japanese.map((name) => names.decode(name)),
    ['新しい表.txt', '表.txt', '港の潮汐.doc'],
  );
  const misread = (text: string, charset: string) => Buffer.from(encoded(text, charset)).toString('latin1');
  const tags = [misread('Кино', 'windows-1251'), misread('Группа крови', 'windows-1251'), 'Zoë', 'Déjà vu'];
  assert.deepEqual(tags.map(rescuer(tags)), ['Кино', 'Группа крови', 'Zoë', 'Déjà vu']);
  assert.deepEqual(['naïve façade – “été”', '日本', 'plain'].map(rescuer([])), [
    'naïve façade – “été”',
    '日本',
    'plain',
  ]);
});
