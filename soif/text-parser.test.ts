import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../kernel/index.ts';
import { soifErrors } from './errors.ts';
import { attributeText, summaryObject } from './summary-object.ts';
import { parseSoif, type SoifItem, SoifParser, type SoifParserOptions } from './text-parser.ts';
import { printObject } from './text-printer.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const textOf = (value: Uint8Array | undefined) => Buffer.from(value ?? []).toString('latin1');

/** Parse a text (Latin-1: one character a byte), whole and byte by byte: both must agree. */
function parse(text: string, options: SoifParserOptions = {}): SoifItem[] {
  const whole = new SoifParser(options);
  const items = [...whole.push(bytesOf(text)), ...whole.end()];
  const single = new SoifParser(options);
  const again: SoifItem[] = [];
  for (const byte of bytesOf(text)) again.push(...single.push(Uint8Array.of(byte)));
  again.push(...single.end());
  assert.deepEqual(again, items);
  return items;
}

/** The fault that strict parsing throws, whole and byte by byte. */
function faultOf(
  text: string,
  options: SoifParserOptions = {},
): { code: string; data: Record<string, unknown> } {
  const caught: { code: string; data: Record<string, unknown> }[] = [];
  for (const step of [text.length || 1, 1]) {
    const parser = new SoifParser(options);
    try {
      for (let at = 0; at < text.length; at += step)
        for (const _ of parser.push(bytesOf(text.slice(at, at + step))));
      for (const _ of parser.end());
      assert.fail(`no fault in ${JSON.stringify(text)}`);
    } catch (error) {
      assert.ok(isGarnerError(error), String(error));
      assert.throws(() => [...parser.push(bytesOf('x'))], error, 'a failed parser stays failed');
      caught.push({ code: error.code, data: error.data as Record<string, unknown> });
    }
  }
  assert.deepEqual(caught[1], caught[0]);
  return caught[0] as { code: string; data: Record<string, unknown> };
}

const pairs = (item: SoifItem | undefined) =>
  item?.object.attributes.map(({ name, value }) => [name, textOf(value)]);

const golden = [
  '@FILE { http://www.example.org/harbour/tides.html',
  'Update-Time{9}:\t826214400',
  'Time-to-Live{7}:\t9676800',
  'Title{24}:\tTide tables of the firth',
  'Author-1{11}:\tE. Lindqvist',
  'Author-2{8}:\tT. Okoro',
  'Keywords{19}:\thigh\nlow\nspring\nebb',
  'Type{4}:\tHTML',
  '}',
  '',
].join('\n');

test('a record as RFC 2655 writes it is read, and printed again to the same bytes', () => {
  const text = golden.replace('Author-1{11}', 'Author-1{12}');
  const [item, ...more] = parse(text);
  assert.equal(more.length, 0);
  assert.ok(item);
  assert.equal(item.object.templateType, 'FILE');
  assert.equal(item.object.url, 'http://www.example.org/harbour/tides.html');
  assert.deepEqual(pairs(item), [
    ['Update-Time', '826214400'],
    ['Time-to-Live', '9676800'],
    ['Title', 'Tide tables of the firth'],
    ['Author-1', 'E. Lindqvist'],
    ['Author-2', 'T. Okoro'],
    ['Keywords', 'high\nlow\nspring\nebb'],
    ['Type', 'HTML'],
  ]);
  assert.equal(attributeText(item.object, 'TITLE'), 'Tide tables of the firth');
  assert.deepEqual([item.byte, item.line, item.section], [0, 1, undefined]);
  assert.equal(textOf(printObject(item.object)), text);
});

test('a size that is one too small is a fault at the byte behind the value', () => {
  const at = golden.indexOf('t\nAuthor-2');
  assert.deepEqual(faultOf(golden), {
    code: 'SOIF_ATTRIBUTE',
    data: { expected: '"{"', found: 'an end of line', byte: at + 1, line: 5 },
  });
});

test('the brace may touch the template type, and white space is free around tokens', () => {
  for (const text of [
    '@FILE{ u\nA{1}:\tx\n}',
    '@FILE {u A{1}:\tx}',
    '@FILE\r\n{\r\nu\r\nA{1}:\tx\r\n}\r\n',
    '@FILE\t{\tu\tA{1}:\tx\t}',
    '\n\n  @FILE { u\n\n\f\v A{0001}:\tx}  ',
  ]) {
    const [item] = parse(text);
    assert.deepEqual(
      [item?.object.templateType, item?.object.url, pairs(item)],
      ['FILE', 'u', [['A', 'x']]],
      text,
    );
  }
});

test('no white space is needed between a value and the next name, and values keep theirs', () => {
  assert.deepEqual(pairs(parse('@X { u\nA{3}:\t \n\nB{2}:\t\t:C{0}:\tD{2}:\t\r\n\r\n}')[0]), [
    ['A', ' \n\n'],
    ['B', '\t:'],
    ['C', ''],
    ['D', '\r\n'],
  ]);
});

test('values hold any byte: NUL, braces, at signs, whole objects', () => {
  const inner = '\0\xff}\n@FILE { http://evil/\nA{1}:\tx\n}\n{';
  assert.deepEqual(pairs(parse(`@X { u\nA{${inner.length}}:\t${inner}\n}`)[0]), [['A', inner]]);
});

test('empty values, empty lists, repeats in order and "-" for no URL are kept', () => {
  const items = parse('@X { -\n}@Y { u }\n@Z { u\nA{0}:\t\na{1}:\t1\nA{1}:\t2\n}');
  assert.deepEqual(
    items.map((item) => [item.object.templateType, item.object.url, pairs(item)]),
    [
      ['X', '-', []],
      ['Y', 'u', []],
      [
        'Z',
        'u',
        [
          ['A', ''],
          ['a', '1'],
          ['A', '2'],
        ],
      ],
    ],
  );
});

test('URLs and names: UTF-8 URLs, braces in URLs, Embed prefixes, META names', () => {
  const [item] = parse(
    '@X { http://h/\xc3\xa9{1}?a={b}\nEmbed<2>-Embed<1>-DC.Title{1}:\tx\nog:title{1}:\ty}',
  );
  assert.equal(item?.object.url, 'http://h/é{1}?a={b}');
  assert.deepEqual(pairs(item), [
    ['Embed<2>-Embed<1>-DC.Title', 'x'],
    ['og:title', 'y'],
  ]);
});

test('the sections of a stream are distinguished, also on one line', () => {
  const text =
    '@DELETE { @FILE { a } } @REFRESH { } @UPDATE { @FILE { b\nT{1}:\tx\n} @FILE { c } }\n@FILE { d }';
  assert.deepEqual(
    parse(text).map((item) => [item.section, item.object.url, item.byte, item.line]),
    [
      ['delete', 'a', 10, 1],
      ['update', 'b', text.indexOf('@FILE { b'), 1],
      ['update', 'c', text.indexOf('@FILE { c'), 3],
      [undefined, 'd', text.indexOf('@FILE { d'), 4],
    ],
  );
});

test('bytes before an object are skipped and counted', () => {
  const junk: unknown[] = [];
  const parser = new SoifParser({ onJunk: (run) => junk.push(run) });
  const text = '\n\xef\xbb\xbfsee below }\n @X { u } trailing';
  const items = [...parser.push(bytesOf(text)), ...parser.end()];
  assert.equal(items.length, 1);
  assert.deepEqual(junk, [
    { byte: 1, line: 2, bytes: 16 },
    { byte: 26, line: 3, bytes: 8 },
  ]);
  assert.equal(parser.junkBytes, 24);
});

test('lines inside values count, so places are exact', () => {
  const [first, second] = parse('@X { u\nA{4}:\t\n\n\n\n\n}\n@Y { u\n B{1}:\tx }', { places: true });
  assert.deepEqual([first?.line, second?.line, second?.byte], [1, 8, 20]);
  assert.deepEqual(second?.places, [{ byte: 28, line: 9 }]);
});

const faults: readonly [text: string, code: string, byte: number, line: number][] = [
  ['mail joe@example.org', 'SOIF_HEADER', 16, 1],
  ['@ FILE { u }', 'SOIF_HEADER', 1, 1],
  ['@FILE\n\nu }', 'SOIF_HEADER', 7, 3],
  ['@X { }', 'SOIF_URL', 5, 1],
  ['@X {\nA{3}:\tabc\n}', 'SOIF_URL', 5, 2],
  ['@X { a\0b }', 'SOIF_URL', 5, 1],
  ['@X { \xff }', 'SOIF_URL', 5, 1],
  ['@X { u\nA{1}: x\n}', 'SOIF_DELIMITER', 12, 2],
  ['@X { u\nA{1}\tx\n}', 'SOIF_DELIMITER', 11, 2],
  ['@X { u\nA{1} :\tx\n}', 'SOIF_DELIMITER', 11, 2],
  ['@X { u\nA{1}:\nx\n}', 'SOIF_DELIMITER', 12, 2],
  ['@X { u\nA{}:\tx\n}', 'SOIF_ATTRIBUTE', 9, 2],
  ['@X { u\nA{-1}:\tx\n}', 'SOIF_ATTRIBUTE', 9, 2],
  ['@X { u\nA{1:\tx\n}', 'SOIF_ATTRIBUTE', 10, 2],
  ['@X { u\nA {1}:\tx\n}', 'SOIF_ATTRIBUTE', 8, 2],
  ['@X { u\nA: x\n}', 'SOIF_ATTRIBUTE', 9, 2],
  ['@X { u\nA{1}:\txyz\n}', 'SOIF_ATTRIBUTE', 16, 2],
  ['@X { u\n\xe9{1}:\tx\n}', 'SOIF_ATTRIBUTE', 7, 2],
  ['@X { u two words\n}', 'SOIF_ATTRIBUTE', 10, 1],
  ['@X { u\nA{1}:\tx\n@Y { u }', 'SOIF_UNCLOSED', 15, 3],
  ['@UPDATE { @DELETE { } }', 'SOIF_SECTION', 18, 1],
  ['@DELETE {\nhttp://a/ }', 'SOIF_SECTION', 10, 2],
  ['@X { u\nA{3}:\tx\n', 'SOIF_TRUNCATED', 15, 3],
  ['@X { u\nA{1', 'SOIF_TRUNCATED', 10, 2],
  ['@X { u', 'SOIF_TRUNCATED', 6, 1],
  ['@', 'SOIF_TRUNCATED', 1, 1],
  ['@UPDATE { @X { u }\n', 'SOIF_TRUNCATED', 19, 2],
  [`@X { u\nA{${'9'.repeat(16)}}:\tx\n}`, 'SOIF_TOO_LARGE', 9, 2],
  [`@X { u\nA{${64 * 1024 * 1024 + 1}}:\tx\n}`, 'SOIF_TOO_LARGE', 9, 2],
];

for (const [text, code, byte, line] of faults)
  test(`${code} at byte ${byte}, line ${line}: ${JSON.stringify(text.slice(0, 40))}`, () => {
    const fault = faultOf(text);
    assert.deepEqual([fault.code, fault.data.byte, fault.data.line], [code, byte, line]);
  });

test('every limit is kept, and what just fits passes', () => {
  const limits = {
    maxTypeLength: 4,
    maxUrlLength: 5,
    maxNameLength: 20,
    maxValueBytes: 6,
    maxAttributes: 3,
    maxObjectBytes: 40,
    maxDepth: 2,
  };
  const object = (type: string, url: string, body: string) => `@${type} { ${url}\n${body}}`;
  const fits = object('TYPE', 'abcde', 'Embed<1>-Embed<2>-AB{6}:\tvalue6\nA{6}:\tvalue6\nB{6}:\tvalue6\n');
  assert.equal(parse(fits, { limits })[0]?.object.attributes.length, 3);
  for (const [text, what] of [
    [object('TYPES', 'u', ''), 'A template type'],
    [object('T', 'abcdef', ''), 'A URL'],
    [object('T', 'u', `${'n'.repeat(21)}{1}:\tx\n`), 'An attribute name'],
    [object('T', 'u', 'A{7}:\tvalue67\n'), 'The size of A'],
    [object('T', 'u', 'A{0}:\tB{0}:\tC{0}:\tD{0}:\t'), 'The number of attributes'],
    [object('T', 'u', `${'n'.repeat(18)}{6}:\tvalue6${'m'.repeat(16)}{5}:\tvalue`), 'The size of an object'],
  ] as const) {
    const fault = faultOf(text, { limits });
    assert.deepEqual([fault.code, fault.data.what], ['SOIF_TOO_LARGE', what], text);
  }
  const deep = faultOf(object('T', 'u', 'Embed<1>-embed<2>-EMBED<3>-A{1}:\tx'), {
    limits: { ...limits, maxNameLength: 99 },
  });
  assert.equal(deep.data.what, 'The nesting of an attribute name');
});

test('a token without end is refused at its limit, not buffered', () => {
  for (const opening of ['@', '@X { ', '@X { u\n', '@X { u\nA{']) {
    const parser = new SoifParser();
    let pushed = 0;
    assert.throws(() => {
      for (; pushed < 1_000_000; pushed += 1000) {
        const chunk = pushed === 0 ? opening : '1'.repeat(1000);
        for (const _ of parser.push(bytesOf(chunk)));
      }
    }, /over the limit/);
    assert.ok(pushed <= 10_000, `${opening}: ${pushed}`);
  }
});

test('a large size is only a claim: memory grows with what arrives', () => {
  const parser = new SoifParser();
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 50; round++) {
    const claimer = new SoifParser();
    for (const _ of claimer.push(bytesOf(`@X { u\nA{${64 * 1024 * 1024}}:\tx`)));
  }
  for (const _ of parser.push(bytesOf('@X { u }')));
  assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
});

test('values are copies that belong to their object alone', () => {
  const chunk = bytesOf('@X { u\nA{3}:\tabcB{2}:\tde}');
  const parser = new SoifParser();
  const [item] = [...parser.push(chunk)];
  chunk.fill(0);
  assert.deepEqual(pairs(item), [
    ['A', 'abc'],
    ['B', 'de'],
  ]);
  assert.equal(item?.object.attributes[0]?.value.buffer.byteLength, 5);
});

test('objects before a fault are given before it is thrown', async () => {
  const seen: string[] = [];
  await assert.rejects(
    async () => {
      for await (const item of parseSoif([bytesOf('@X { one }\n@X { two }\n@X { }')]))
        seen.push(item.object.url);
    },
    (error) => isGarnerError(error, soifErrors.SOIF_URL),
  );
  assert.deepEqual(seen, ['one', 'two']);
});

test('parseSoif takes asynchronous chunks; anything but bytes is a TypeError', async () => {
  const object = summaryObject('http://h/', [['Title', 'é']]);
  const chunks = (async function* () {
    for (const byte of printObject(object)) yield Uint8Array.of(byte);
  })();
  const items = [];
  for await (const item of parseSoif(chunks)) items.push(item.object);
  assert.deepEqual(items, [object]);
  await assert.rejects(async () => {
    for await (const _ of parseSoif(['text'] as unknown as Uint8Array[]));
  }, TypeError);
});
