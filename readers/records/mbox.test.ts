import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { isMbox } from '../bytes/index.ts';
import { mboxRecords } from './mbox.ts';

const from = 'From a@example.org Sat Nov 21 11:13:50 2026\n';

const messages = (text: string) =>
  [...mboxRecords(Buffer.from(text))].map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]);

test('mboxo and mboxrd: one > is taken off a quoted line', () => {
  assert.deepEqual(
    messages(
      `${from}Subject: one\n\n>From here\n>>From there\n> From said\n\n${from}Subject: two\n\nText\n\n`,
    ),
    [
      ['1', 'Subject: one\n\nFrom here\n>From there\n> From said\n'],
      ['2', 'Subject: two\n\nText\n'],
    ],
  );
});

test('a line that begins with From and has no date belongs to the text', () => {
  assert.deepEqual(messages(`${from}Subject: one\n\nFrom the beginning\nFrom a to b\n`), [
    ['1', 'Subject: one\n\nFrom the beginning\nFrom a to b\n'],
  ]);
});

test('mboxcl2: a length that leads to a separator is believed, and nothing is unquoted', () => {
  const body = `${from}>From x\n`;
  const text = `${from}Subject: one\nContent-Length: ${body.length}\n\n${body}\n${from}Subject: two\n\nText\n`;
  assert.deepEqual(messages(text), [
    ['1', `Subject: one\nContent-Length: ${body.length}\n\n${body}`],
    ['2', 'Subject: two\n\nText\n'],
  ]);
});

test('mboxcl: with a length and quotes, the quotes go', () => {
  const body = '>From x\n';
  const text = `${from}Content-Length: ${body.length}\n\n${body}\n${from}Subject: two\n\n`;
  assert.deepEqual(messages(text)[0], ['1', `Content-Length: ${body.length}\n\nFrom x\n`]);
});

test('a length that leads nowhere is not believed', () => {
  for (const length of [3, 999_999])
    assert.equal(messages(`${from}Content-Length: ${length}\n\nLong text\n\n${from}\nTwo\n`).length, 2);
});

test('carriage returns, a missing end, and text before the first message', () => {
  assert.deepEqual(messages(`nothing\n${from.replace('\n', '\r\n')}Subject: one\r\n\r\nText`), [
    ['1', 'Subject: one\r\n\r\nText'],
  ]);
  assert.deepEqual(messages(''), []);
  assert.ok(isMbox(Buffer.from(from)) && !isMbox(Buffer.from('From: a@example.org\n')));
});

test('ten thousand lines that look like separators in headers are read in one go', async () => {
  const text = `${from}${'From x y\n'.repeat(200_000)}`;
  await assertCpuMs(5000, () => assert.equal(messages(text).length, 1));
});
