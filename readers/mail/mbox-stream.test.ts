import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { mboxMessages } from '../bytes/index.ts';
import { type MboxMessage, mboxStream } from './mbox-stream.ts';

async function* cut(bytes: Buffer, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

async function read(text: string | Buffer, step = 1000, maxBytes = 1e6): Promise<MboxMessage[]> {
  const found: MboxMessage[] = [];
  for await (const message of mboxStream(cut(Buffer.from(text), step), maxBytes)) found.push(message);
  return found;
}

const texts = (messages: readonly MboxMessage[]) =>
  messages.map(({ bytes }) => Buffer.from(bytes ?? []).toString());

const two =
  'From a@b Tue Feb  1 10:00:00 2022\nSubject: 1\n\nbody\n>From quoted\n>>From twice\nFrom here on\n\n' +
  'From c@d Tue Feb  1 11:00:00 2022\r\nSubject: 2\r\n\r\nFrom text without a date\n\n';

test('separators by an empty line and a date, quoting removed, for any size of chunks', async () => {
  for (const step of [1, 2, 3, 7, 50, 10_000]) {
    const messages = await read(two, step);
    assert.deepEqual(texts(messages), [
      'Subject: 1\n\nbody\nFrom quoted\n>From twice\nFrom here on\n',
      'Subject: 2\r\n\r\nFrom text without a date\n',
    ]);
    assert.equal(messages[0]?.separator, 'From a@b Tue Feb  1 10:00:00 2022');
    assert.equal(
      messages[0]?.md5,
      createHash('md5')
        .update(messages[0]?.bytes ?? '')
        .digest('hex'),
    );
  }
  assert.deepEqual(await read('no mbox\n\nFrom a@b Tue Feb  1 10:00:00 2022\n'), []);
  assert.deepEqual(texts(await read('\n\nFrom a 10:00\nx')), ['x\n']);
  assert.deepEqual(await read(''), []);
});

test('a message beyond the bound is reported without its bytes, and the next one is whole', async () => {
  const messages = await read(two, 5, 30);
  assert.deepEqual(
    messages.map(({ bytes }) => bytes === undefined),
    [true, true],
  );
  const third = await read(`${two}From e@f Tue Feb  1 12:00:00 2022\nhi\n`, 5, 30);
  assert.equal(texts(third)[2], 'hi\n');
  assert.equal(new Set(third.map(({ md5 }) => md5)).size, 3);
});

test('any bytes in any chunks give the same messages', async () => {
  const words = [
    'From a@b Tue Feb  1 10:00:00 2022\n',
    'Subject: y\n',
    '\n',
    'x\n',
    '>From y\n',
    '\r\n',
    'From \n',
    '\0\xff',
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...words), { maxLength: 30 }),
      fc.integer({ min: 1, max: 40 }),
      async (parts, step) => {
        const bytes = Buffer.from(parts.join(''), 'latin1');
        const shape = (messages: readonly MboxMessage[]) => messages.map(({ md5, size }) => `${md5} ${size}`);
        assert.deepEqual(shape(await read(bytes, step)), shape(await read(bytes, 1e6)));
      },
    ),
  );
});

test('messages of 64 MB each are streamed in bounded memory', async () => {
  const part = Buffer.alloc(1024 * 1024, 'line of text\n');
  const head = Buffer.from('\n\nFrom a@b Tue Feb  1 10:00:00 2022\nSubject: x\n\n');
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (let message = 0; message < 4; message += 1) {
      yield message === 0 ? head.subarray(2) : head;
      for (let block = 0; block < 64; block += 1) yield part;
    }
  }
  const before = process.memoryUsage.rss();
  let peak = 0;
  let count = 0;
  const readAll = async () => {
    count = 0;
    for await (const message of mboxStream(endless(), 1024 * 1024)) {
      count += 1;
      assert.equal(message.bytes, undefined);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
  };
  await assertCpuMs(30_000, readAll, '256 MB');
  assert.equal(count, 4);
  assert.ok(peak - before < 150e6, `${Math.round((peak - before) / 1e6)} MB more`);
});

test('the whole mailbox and its stream separate messages at the same lines', () => {
  const lines = [
    'From a@b Tue Feb  1 10:00:00 2022\n',
    '\n',
    'x\n',
    '>From y\n',
    '\r\n',
    'From \n',
    'From z 9:30\n',
  ];
  return fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...lines), { maxLength: 30 }), async (parts) => {
      const text = `${lines[0]}${parts.join('')}`;
      assert.equal([...mboxMessages(Buffer.from(text))].length, (await read(text, 7)).length, text);
    }),
  );
});
