import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { decompressedRtf } from '../../../readers/office/rtf/index.ts';
import { defaultPlan } from '../../pipeline/pipeline-plan.ts';
import { tryDocument } from '../../pipeline/try-document.ts';
import { assertHolds, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseTnef } from './outlook-message.ts';

const u16 = (value: number) => Buffer.from([value & 255, value >> 8]);
const u32 = (value: number) => Buffer.from(new Uint32Array([value]).buffer);
const utf16 = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
const padded = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** An attribute of a level (1 message, 2 attachment), with its length and checksum. */
const attribute = (level: number, id: number, data: Uint8Array) =>
  Buffer.concat([
    Buffer.from([level]),
    u16(id),
    u16(6),
    u32(data.length),
    data,
    u16(data.reduce((sum, byte) => sum + byte, 0) & 0xffff),
  ]);

const property = (id: number, type: number, ...values: Uint8Array[]) =>
  Buffer.concat([
    u16(type),
    u16(id),
    u32(values.length),
    ...values.flatMap((value) => [u32(value.length), padded(value)]),
  ]);

const fixed = (id: number, type: number, value: Uint8Array) =>
  Buffer.concat([u16(type), u16(id), padded(value)]);

/** Tenths of microseconds since 1601. */
const fileTime = (ms: number) =>
  Buffer.from(new BigUint64Array([BigInt(ms + 11_644_473_600_000) * 10_000n]).buffer);

const named = (name: string, type: number, ...values: Uint8Array[]) => {
  const text = utf16(name);
  const head = Buffer.concat([
    u16(type),
    u16(0x8001),
    Buffer.alloc(16),
    u32(1),
    u32(text.length),
    padded(text),
  ]);
  return Buffer.concat([
    head,
    u32(values.length),
    ...values.flatMap((value) => [u32(value.length), padded(value)]),
  ]);
};

const properties = (...list: Uint8Array[]) => Buffer.concat([u32(list.length), ...list]);

const tnef = (...attributes: Uint8Array[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...attributes]);

/** MS-OXRTFCP 3.1.1: the first example of compressed RTF. */
const compressed = Buffer.from(
  '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232 0af32068656c09002062770 5b06c647d0a800fa0'.replace(
    /\s/g,
    '',
  ),
  'hex',
);

const inner = tnef(
  attribute(1, 0x8004, Buffer.from('Inner subject\0')),
  attribute(1, 0x800c, Buffer.from('Inner words\0')),
);
const message = tnef(
  attribute(1, 0x9007, Buffer.concat([u32(1251), u32(0)])),
  attribute(1, 0x8004, Buffer.from('\xcf\xf0\xe8\xeb\xe8\xe2\0', 'latin1')),
  attribute(
    1,
    0x9003,
    properties(
      fixed(0x3fde, 0x03, u32(65001)),
      property(0x0c1a, 0x1f, utf16('Kim Example')),
      property(0x0e04, 0x1f, utf16('Jo; Ann')),
      fixed(0x0039, 0x40, fileTime(Date.UTC(2024, 1, 15, 10, 30))),
      named('Keywords', 0x101f, utf16('tide'), utf16('sea')),
      property(0x1035, 0x1e, Buffer.from('<1@x>\0')),
      property(0x1013, 0x102, Buffer.from('<p>HTML wörds <a href="http://h/a">a</a></p>')),
      property(0x1009, 0x102, compressed),
    ),
  ),
  attribute(2, 0x9002, Buffer.alloc(14)),
  attribute(2, 0x8010, Buffer.from('BUDGET~1.TXT\0')),
  attribute(2, 0x800f, Buffer.from('budget words')),
  attribute(2, 0x9005, properties(property(0x3707, 0x1f, utf16('Bücher.txt')))),
  attribute(2, 0x9002, Buffer.alloc(14)),
  attribute(
    2,
    0x9005,
    properties(
      property(0x3001, 0x1f, utf16('A message')),
      property(0x3701, 0x0d, Buffer.concat([Buffer.alloc(16), inner])),
    ),
  ),
);

test('compressed RTF is that of its specification', () => {
  assert.equal(
    Buffer.from(decompressedRtf(compressed)).toString('latin1'),
    '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
  );
});

test('a message of Outlook gives sender, dates, categories and text, and its attachments are objects', async () => {
  assertHolds(await summarised(summariseTnef, message, 'winmail.dat'), {
    Title: 'Прилив',
    Author: 'Kim Example',
    To: 'Jo; Ann',
    Date: '2024-02-15T10:30:00.000Z',
    Keywords: 'tide, sea',
    'Message-Id': '1@x',
    Attachments: 'Bücher.txt, A message',
    'Full-Text': 'HTML wörds a',
  });
  const rtf = tnef(attribute(1, 0x9003, properties(property(0x1009, 0x102, compressed))));
  assertHolds(await summarised(summariseTnef, rtf, 'winmail.dat'), { 'Full-Text': 'hello world' });
  const { objects } = await tryDocument({ url: 'http://h/x', name: 'x', bytes: message }, defaultPlan);
  assert.deepEqual(
    objects.map(({ url, attributes }) => [url.slice(8), attributes.Type, attributes['Full-Text']]),
    [
      ['/x#B%C3%BCcher.txt', 'Text', 'budget words'],
      ['/x#A%20message.tnef', 'TNEF', 'Inner words'],
      ['/x', 'TNEF', 'HTML wörds a'],
    ],
  );
});

test('a message cut anywhere gives what comes before', async () => {
  for (let length = 40; length < message.length; length += 13)
    assertHolds(
      await summarised(summariseTnef, message.subarray(0, length), 'x'),
      length < 80 ? {} : { Title: 'Прилив' },
    );
});

test('damaged messages of Outlook give what they hold, and large ones take linear time', async () => {
  await assertSurvives(summariseTnef, [message, inner, compressed], 'winmail.dat');
  const many = (part: Uint8Array, count: number) => Buffer.concat(new Array<Uint8Array>(count).fill(part));
  const value = property(0x1000, 0x1e, Buffer.from('a'));
  for (const part of [
    attribute(2, 0x9002, Buffer.alloc(0)),
    attribute(1, 0x800c, Buffer.alloc(0)),
    attribute(1, 0x9003, properties(value)),
    attribute(1, 0x9003, Buffer.concat([u32(50_000), many(value, 50_000)])),
    Buffer.from([0]),
  ]) {
    const large = tnef(many(part, Math.ceil(1024 ** 2 / part.length)));
    await assertCpuMs(5000, async () => void (await summarised(summariseTnef, large, 'x')));
  }
  // A list that claims more values than there are bytes.
  const claim = tnef(attribute(1, 0x9003, Buffer.concat([u32(1), u16(0x1001), u16(1), u32(0xffffffff)])));
  await summarised(summariseTnef, claim, 'x');
});
