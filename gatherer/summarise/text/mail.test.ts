import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractOf } from '../../testing/extract-reading.ts';
import { summariseMail } from './mail.ts';
import { summariseNews } from './news.ts';

const message = `Return-Path: <maja@hive.example>
From: =?iso-8859-1?Q?Zo=EB?= Bee <zoe@hive.example>
To: "Drone, Willi" <willi@hive.example>, team: a@hive.example, b@hive.example;
Cc: queen@hive.example
Subject: Re: AW: =?utf-8?B?SG9uZXkg4oCU?= this year
Date: Sat, 04 May 1996 12:00:00 +0200
Message-ID: <2@hive.example>
In-Reply-To: <1@hive.example>
References: <0@hive.example> <1@hive.example>
List-Id: The Hive <list.hive.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="zz"

--zz
Content-Type: multipart/alternative; boundary="yy"

--yy
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Caf=C3=A9 is closed; see http://hive.example/caf=C3=A9.

On Friday, Willi wrote:
> Is it open?

-- 
Zoe
--yy
Content-Type: text/html

<p>Never this.</p>
--yy--
--zz
Content-Type: image/png; name="comb.png"
Content-Disposition: attachment; filename="comb.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--zz--
`.replaceAll('\n', '\r\n');

test('a message: fields, best part, attachments', async () => {
  const mail = await extractOf(summariseMail, 'x.eml', message);
  assert.equal(mail.title, 'Honey — this year');
  assert.deepEqual(Object.fromEntries(mail.fields), {
    Author: 'Zoë Bee',
    From: 'Zoë Bee <zoe@hive.example>',
    To: 'Drone, Willi <willi@hive.example>, a@hive.example, b@hive.example',
    Cc: 'queen@hive.example',
    Date: '1996-05-04T10:00:00.000Z',
    'Message-Id': '2@hive.example',
    'In-Reply-To': '1@hive.example',
    References: '0@hive.example 1@hive.example',
    'List-Id': 'The Hive <list.hive.example>',
    Attachments: 'comb.png (image/png)',
  });
  assert.equal(
    mail.body,
    'Café is closed; see http://hive.example/café.\nOn Friday, Willi wrote:\n> Is it open?\n-- \nZoe'.replace(
      '-- \n',
      '--\n',
    ),
  );
  assert.deepEqual(mail.references, ['http://hive.example/caf%C3%A9']);
  const selected = await extractOf(summariseMail, 'x.eml', message, { text: 'selected' });
  assert.equal(selected.body, 'Café is closed; see http://hive.example/café.');
});

test('a message with HTML alone', async () => {
  const html = `From: a@b.example\nSubject: x\nContent-Type: text/html\n\n<h1>Hive</h1><p>See <a href="http://hive.example/">it</a>.`;
  const mail = await extractOf(summariseMail, 'x.eml', html);
  assert.equal(mail.body, 'Hive See it.');
  assert.deepEqual(mail.references, ['http://hive.example/']);
});

test('a mailbox: the first message and all subjects', async () => {
  const mailbox = [1, 2, 3]
    .map(
      (at) =>
        `From a@b.example Sat May  4 12:00:0${at} 1996\nFrom: a@b.example\nSubject: =?utf-8?q?No=2E?= ${at}\n\nText ${at}\n>From here\n\n`,
    )
    .join('');
  const mail = await extractOf(summariseMail, 'x.mbox', mailbox);
  assert.equal(mail.title, undefined);
  assert.equal(mail.value('Messages'), '3');
  assert.equal(mail.value('Headings'), 'No. 1\nNo. 2\nNo. 3');
});

test('broken messages still give their readable parts', async () => {
  const nested = `From: a@b.example\nSubject: deep\n${Array.from({ length: 100 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('')}\nend`;
  const mail = await extractOf(summariseMail, 'x.eml', nested);
  assert.equal(mail.title, 'deep');
  assert.equal(mail.value('From'), 'a@b.example');
  assert.match(mail.notes.join(), /parts of the message could not be read/);
  assert.equal((await extractOf(summariseMail, 'x.eml', 'no mail at all')).title, undefined);
});

test('a message keeps its text without an empty line, with another boundary, and behind empty lines', async () => {
  const head = 'From: a@b.example\r\nSubject: Tide\r\n';
  const multipart = `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n`;
  const part =
    'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nV29yZHMgw6k=\r\n';
  for (const [message, words] of [
    [`${head}Words é\r\nmore\r\n`, /^Words é\s+more$/],
    [`${head}Words é\r\n\r\nmore\r\n`, /^Words é\s+more$/],
    [`${multipart}--other\r\n${part}--other--\r\n`, /^Words é$/],
    [`${multipart}Words é without parts\r\n`, /^Words é without parts$/],
    [`\r\n \r\n${head}\r\nWords é\r\n`, /^Words é$/],
    [`\ufeff${head}\r\nWords é\r\n`, /^Words é$/],
  ] as const) {
    const { title, body } = await extractOf(summariseMail, 'x.eml', message);
    assert.equal(title, 'Tide', message);
    assert.match(body, words, message);
  }
  // A field after a broken line shows that the header goes on.
  const broken = await extractOf(
    summariseMail,
    'x.eml',
    'From: a@b.example\nbroken line\nSubject: Tide\n\nWords\n',
  );
  assert.deepEqual([broken.title, broken.body], ['Tide', 'Words']);
});

test('a news article', async () => {
  const article = `Path: news.example!not-for-mail
From: keeper@hive.example (The Keeper)
Newsgroups: sci.bees,news.answers
Followup-To: sci.bees
Subject: sci.bees FAQ
Date: 4 May 1996 12:00:00 GMT
Organization: The Hive
Keywords: bees, honey
Summary: All about bees
Message-ID: <3@hive.example>
Lines: 3

Archive-name: sci/bees-faq
Version: 2.1

Bees.
`;
  const news = await extractOf(summariseNews, 'article', article);
  assert.equal(news.title, 'sci.bees FAQ');
  assert.deepEqual(
    Object.fromEntries([...news.fields].filter(([name]) => name !== 'Author' && name !== 'From')),
    {
      Newsgroups: 'sci.bees, news.answers',
      'Followup-To': 'sci.bees',
      Date: '1996-05-04T12:00:00.000Z',
      Organization: 'The Hive',
      Keywords: 'bees, honey',
      Description: 'All about bees',
      'Message-Id': '3@hive.example',
      'Archive-Name': 'sci/bees-faq',
      Version: '2.1',
    },
  );
  assert.match(news.value('From') ?? '', /keeper@hive\.example/);
  assert.match(news.body, /^Bees\.$/m);
});
