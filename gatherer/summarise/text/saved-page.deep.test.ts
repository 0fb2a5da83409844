import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognise } from '../../recognise/recognise.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseMail } from './mail.ts';
import { summariseSavedPage } from './saved-page.ts';

const saved = `From: <Saved by Blink>
Snapshot-Content-Location: http://x.example/a/page.html
Subject: =?utf-8?Q?Sp=C3=A4t?=
Date: Thu, 15 Feb 2024 10:30:00 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
\ttype="text/html";
\tboundary="----B----"


------B----
Content-Type: text/css
Content-Transfer-Encoding: quoted-printable
Content-Location: http://x.example/a.css

body { color: red }
------B----
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: http://x.example/a/page.html

<!DOCTYPE html><html><head><meta charset=3D"utf-8"><title>S=C3=A4ved</title>
<meta name=3D"author" content=3D"Kim"></head><body><h1>Head</h1><p>Page words <a href=3D"b.html">b</a>
<iframe src=3D"cid:frame-2@mhtml.blink"></iframe></p></body></html>
------B----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: http://x.example/i.png

iVBORw0KGgo=
------B----
Content-Type: text/html; charset=windows-1251
Content-ID: <frame-2@mhtml.blink>
Content-Transfer-Encoding: base64
Content-Location: http://x.example/f/frame.html

${Buffer.from('<p>\xd0\xe0\xec\xea\xe0 <a href="c.html">c</a></p>', 'latin1').toString('base64')}
------B------
`;

test('a saved page gives title, author, texts of its frames and addresses where it was', async () => {
  const found = await summarised(summariseSavedPage, saved.replaceAll('\n', '\r\n'), 'a.mhtml');
  assertHolds(found, {
    Title: 'Säved',
    Author: 'Kim',
    'Original-URL': 'http://x.example/a/page.html',
    Saved: '2024-02-15T10:30:00.000Z',
    Parts: '4',
    Headings: 'Head',
    'Full-Text': 'Head\nPage words b\nРамка c',
  });
  const cut = saved.slice(0, saved.indexOf('</p></body>'));
  assertHolds(await summarised(summariseSavedPage, cut, 'a.mht'), {
    Title: 'Säved',
    'Full-Text': 'Head\nPage words b',
  });
  const bare = saved.replace(/<title>.*<\/title>/, '');
  assertHolds(await summarised(summariseSavedPage, bare, 'a.mht'), { Title: 'Head' });
});

test('a saved page and a message of Apple Mail are recognised by their first lines', () => {
  const typeOf = (name: string, content: string) =>
    recognise({ url: `http://h/${name}`, name, bytes: Buffer.from(content) }).type;
  for (const name of ['a', 'a.txt', 'a.eml', 'a.mht', 'a.html'])
    assert.equal(typeOf(name, saved), 'MHTML', name);
  const exported = `Date: Thu, 15 Feb 2024 10:30:00 +0000\nMessage-ID: <1@wiki>\nSubject: Exported\nMIME-Version: 1.0\nContent-Type: multipart/related;\n boundary=B\n\n`;
  for (const name of ['a', 'a.doc', 'a.xls']) assert.equal(typeOf(name, exported), 'MHTML', name);
  assert.equal(typeOf('a.eml', `From: a@b\n${exported}`), 'Mail');
  const mail = '21\nSubject: a\n\nwords\n\n';
  for (const name of ['a', 'a.txt', '1.emlx', '1.partial.emlx'])
    assert.equal(typeOf(name, mail), 'Mail', name);
  assert.equal(typeOf('a', '21\nwords: more'), 'Text');
});

test('a message of Apple Mail ends where its length or its list says', async () => {
  const message = 'From: A <a@x.example>\nSubject: S\n\nwords of <?xml it\n';
  const list =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "a" "b">\n<plist version="1.0"><dict/></plist>\n';
  for (const content of [
    `${message.length}\n${message}${list}`,
    `${message.length}        \r\n${message}${list}`,
    `9999\n${message}${list}`,
    `5\n${message}${list}`,
    `${message.length}\n${message}`,
  ])
    assertHolds(await summarised(summariseMail, content, '1.emlx'), {
      Title: 'S',
      Author: 'A',
      'Full-Text': 'words of <?xml it',
    });
});

test('damaged saved pages give what they hold, and large ones take linear time', async () => {
  await assertSurvives(summariseSavedPage, [Buffer.from(saved)], 'a.mht');
  const parts = ['------B----\nContent-Type: text/html\n\n<p>a\n', '------B----\n', 'A: b\n'];
  await assertLinear(
    summariseSavedPage,
    parts,
    'a.mht',
    saved.slice(0, saved.indexOf('------B----\nContent-Type: image')),
  );
});
