import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { encoded } from '../testing/encoded.ts';
import { mutated } from '../testing/mutated.ts';
import { mimeEntries } from './mime.ts';
import { utf8Message } from './utf8-message.ts';

const bytes = (text: string, charset = 'utf-8') =>
  charset === 'utf-8' ? Buffer.from(text) : encoded(text, charset);
const read = (...parts: readonly (string | Uint8Array)[]) =>
  PostalMime.parse(
    utf8Message(Buffer.concat(parts.map((part) => (typeof part === 'string' ? bytes(part) : part)))),
  );
const textOf = async (...parts: readonly (string | Uint8Array)[]) => (await read(...parts)).text?.trim();
const hex = (from: Uint8Array) =>
  [...from].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

test('a body is decoded by its label, unless that is wrong or names nothing', async () => {
  const text = 'Таблица приливов и отливов в порту';
  for (const [label, charset] of [
    ['koi8-r', 'koi8-r'],
    ['x-unknown', 'windows-1251'],
    ['utf-8', 'windows-1251'],
    ['iso-8859-1', 'koi8-r'],
    ['x-unknown', 'utf-8'],
  ] as const) {
    const type = `Content-Type: text/plain; charset="${label}"\r\n`;
    const body = bytes(text, charset);
    assert.equal(await textOf(type, '\r\n', body), text, `${label} in 8 bits`);
    assert.equal(await textOf(type, 'Content-Transfer-Encoding: quoted-printable\r\n\r\n', hex(body)), text);
    const base64 = Buffer.from(body).toString('base64');
    assert.equal(await textOf(type, 'Content-Transfer-Encoding: base64\r\n\r\n', base64), text);
  }
});

test('quotation marks and euros of windows-1252 in mail', async () => {
  const html =
    'Content-Type: text/html; charset=windows-1252\nContent-Transfer-Encoding: quoted-printable\n\n';
  assert.equal(
    (await read(html, '<p>It=92s =80 5 soft=\n break</p>')).html?.trim(),
    '<p>It’s € 5 soft break</p>',
  );
  assert.equal((await read('Subject: =?windows-1252?Q?It=92s_=80_5?=\n\nx')).subject, 'It’s € 5');
});

test('raw bytes in header fields, by the charset of the text below', async () => {
  const mail = await read(
    bytes('From: Jörg <j@x.example>\r\nSubject: Prüfung für März\r\n\r\nText für alle\r\n', 'windows-1252'),
  );
  assert.deepEqual(
    [mail.from?.name, mail.subject, mail.text?.trim()],
    ['Jörg', 'Prüfung für März', 'Text für alle'],
  );
  const russian = await read(
    bytes('Subject: Отчёт\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\nТаблица приливов\r\n', 'koi8-r'),
  );
  assert.deepEqual([russian.subject, russian.text?.trim()], ['Отчёт', 'Таблица приливов']);
});

test('encoded words: unknown labels, UTF-7, characters divided between words', async () => {
  const gbk = Buffer.from(encoded('港口的潮汐表', 'gb18030'));
  const divided = `=?gb2312?B?${gbk.subarray(0, 5).toString('base64')}?=\r\n =?gb2312?B?${gbk.subarray(5).toString('base64')}?=`;
  assert.equal((await read(`Subject: ${divided}\r\n\r\nx`)).subject, '港口的潮汐表');
  assert.equal((await read('Subject: =?utf-7?Q?Gr+APwA3w-e?=\n\nx')).subject, 'Grüße');
  assert.equal((await read('Subject: =?x-unknown?Q?Gr=C3=BC=C3=9Fe?=\n\nx')).subject, 'Grüße');
  const from = await read('From: =?iso-8859-1?Q?M=FCller=2C_J=F6rg?= <m@x.example>\n\nx');
  assert.deepEqual([from.from?.name, from.from?.address], ['Müller, Jörg', 'm@x.example']);
});

test('parts of a multipart message, names of attachments, messages inside', async () => {
  const mail = await read(
    'Subject: s\r\nContent-Type: multipart/mixed; boundary="a b"\r\n\r\npreamble\r\n--a b\r\n',
    'Content-Type: text/plain; charset=iso-8859-2; format=flowed\r\n\r\n',
    bytes('Příliš žluťoučký kůň', 'iso-8859-2'),
    "\r\n--a b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename*=windows-1252''%80-gr%FC%DFe.pdf\r\n",
    'Content-Transfer-Encoding: base64\r\n\r\naGVsbG8=\r\n--a b--\r\n',
  );
  assert.equal(mail.text?.trim(), 'Příliš žluťoučký kůň');
  assert.deepEqual(
    mail.attachments.map(({ filename }) => filename),
    ['€-grüße.pdf'],
  );
  assert.equal(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).toString(), 'hello');
});

test('a text that a list server put behind base64 is left out', async () => {
  const start = 'Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n';
  for (const footer of [
    '____________\nlist mailing list\n',
    '-- \nlist@x.example\n',
    'The list says hello\n',
  ])
    assert.equal(await textOf(start, 'aGVsbG8gYWxsIQ==\n', footer), 'hello all!', footer);
  assert.equal(await textOf(start, 'aGVs\nbG8g\nd29y\n', '____\nlist mailing\n'), 'hello wor');
});

test('any damage to a message leaves a message', () => {
  const samples = [
    'Subject: =?gbk?B?uNu/2g==?=\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nText\r\n--a--',
    'Content-Type: text/plain; charset=utf-7\nContent-Transfer-Encoding: quoted-printable\n\n+APw- =FC',
  ].map((sample) => Buffer.from(sample));
  fc.assert(
    fc.property(mutated(samples, ['--a', '=?', '\r\n\r\n', 'charset=']), (message) => {
      assert.ok(utf8Message(message) instanceof Uint8Array);
    }),
    { numRuns: 300 },
  );
});

const element = (tag: number, content: Uint8Array) =>
  Buffer.concat([Buffer.from([tag, 0x82, content.length >> 8, content.length & 255]), content]);

/** A message signed as a whole, in the form of definite or of open lengths. */
function signed(content: string, open: boolean): string {
  const end = Buffer.alloc(2);
  const pieces = [content.slice(0, 40), content.slice(40)].map((piece) => element(4, Buffer.from(piece)));
  const octets = open
    ? Buffer.concat([Buffer.from([0x24, 0x80]), ...pieces, end])
    : element(4, Buffer.from(content));
  const inner = open ? Buffer.concat([Buffer.from([0xa0, 0x80]), octets, end]) : element(0xa0, octets);
  const oid = (last: number) => Buffer.from(`06092a864886f70d01070${last}`, 'hex');
  const data = element(
    0x30,
    Buffer.concat([Buffer.from('020101', 'hex'), element(0x30, Buffer.concat([oid(1), inner]))]),
  );
  const whole = element(0x30, Buffer.concat([oid(2), element(0xa0, data)]));
  return `Subject: Sealed\r\nContent-Type: application/x-pkcs7-mime;\r\n name="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\n\r\n${whole.toString('base64')}`;
}

test('a message within its signature is read with its attachments', async () => {
  const content =
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nSealed wörds\r\n--b\r\nContent-Type: text/plain; name=a.txt\r\n\r\nattached\r\n--b--\r\n';
  for (const open of [false, true]) {
    const message = signed(content, open);
    const { subject, text } = await read(message);
    assert.deepEqual([subject, text?.split('\n')[0]], ['Sealed', 'Sealed wörds']);
    assert.deepEqual(
      [...mimeEntries(Buffer.from(message))].map(({ name }) => name),
      ['a.txt'],
    );
  }
  const other = signed(content, false).replace('x-pkcs7', 'x-other');
  assert.equal((await read(other)).attachments.length, 1);
});

test('parts of a digest are messages, each with its own charset', async () => {
  const one =
    'Subject: =?utf-8?Q?T=C3=B6pic?=\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nW=C3=B6rds\r\n';
  const digest = `Content-Type: multipart/digest; boundary=d\r\n\r\n--d\r\n\r\n${one}--d--\r\n`;
  const text = (await textOf(digest)) ?? '';
  assert.match(text, /Töpic/);
  assert.match(text, /Wörds/);
  assert.deepEqual(
    [...mimeEntries(Buffer.from(digest))].map(({ name }) => name),
    ['part-1.eml'],
  );
});

test('a message of a type that is not valid, or without its boundary, is a text', async () => {
  for (const type of ['text', 'multipart/mixed; boundary="gone"', 'multipart/alternative;', 'plain text']) {
    const message = `Subject: S\r\nContent-Type: ${type}\r\n\r\nAll the wörds`;
    assert.equal(await textOf(message), 'All the wörds', type);
    assert.equal((await read(message)).attachments.length, 0, type);
  }
});
