import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { mimeEntries } from './mime.ts';

async function attachments(message: string): Promise<[string, string][]> {
  const found: [string, string][] = [];
  for (const entry of mimeEntries(Buffer.from(message)))
    found.push([entry.name, Buffer.from(await entry.read(1_000_000)).toString()]);
  return found;
}

test('parts in parts, each way of coding, and the line end before a boundary', async () => {
  const message = `Content-Type: multipart/mixed;\r\n boundary="a b"\r\n\r\npreamble\r\n--a b\r
Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\nText\r\n--c\r\nContent-Type: text/html\r\n\r
<p>Text\r\n--c--\r\n--a b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: BASE64\r\n\r\naGVs\r\nbG8=\r
--a b\r\nContent-Type: text/plain; name=n.txt\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\ncaf=C3=A9 =\r
bar\r\n--a bc\r\n--a b\r\nContent-Disposition: attachment\r\n\r\nlast\r\n--a b--\r\nepilogue`;
  assert.deepEqual(await attachments(message), [
    ['part-3.png', 'hello'],
    ['n.txt', 'café bar\r\n--a bc'],
    ['part-5.txt', 'last'],
  ]);
});

test('file names: encoded words, RFC 2231 in one piece and in several, bare UTF-8', async () => {
  const names = [
    'filename="=?utf-8?B?Z3LDvMOfZS50eHQ=?="',
    "filename*=iso-8859-1'de'gr%FC%DFe.txt",
    `filename*0*=utf-8''gr%C3%BC; filename*1="\\ße"; filename*2=.txt`,
    'filename="a/b\\\\c/grüße.txt"',
  ];
  for (const name of names.filter((_, index) => index !== 2)) {
    const message = `Content-Type: application/pdf\nContent-Disposition: attachment; ${name}\n\nx`;
    assert.deepEqual(await attachments(message), [['grüße.txt', 'x']], name);
  }
  const pieces =
    "Content-Disposition: inline; filename*1*=%C3%9Fe; filename*0*=utf-8''gr%C3%BC; filename*2=.txt\n\nx";
  assert.deepEqual(await attachments(pieces), [['grüße.txt', 'x']]);
});

test('uuencoded parts in a text, and a message cut short', async () => {
  const text = 'Subject: old news\n\nHere:\n\nbegin 644 known.txt\n$2VYO=P``\n`\nend\n';
  assert.deepEqual(await attachments(text), [['known.txt', 'Know']]);
  assert.deepEqual(
    await attachments('Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: a/b\n\ncut'),
    [['part-1', 'cut']],
  );
  assert.deepEqual(await attachments(''), []);
});

test('multiparts without end are refused, and boundaries without end cost no more than a search', async () => {
  const nest = Array.from(
    { length: 40 },
    (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\n\n--b${n}\n`,
  ).join('');
  await assert.rejects(attachments(nest), /nest too deeply/);
  const parts = '--b\nContent-Type: a/b\n\nx\n'.repeat(50_000);
  await assertCpuMs(10_000, async () => {
    const found = await attachments(`Content-Type: multipart/mixed; boundary=b\n\n${parts}`);
    assert.equal(found.length, 50_000);
    await attachments(`Content-Type: text/html\n\n${'<br\n'.repeat(1_000_000)}`);
  });
});
