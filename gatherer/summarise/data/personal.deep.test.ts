import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recognise } from '../../recognise/recognise.ts';
import { assertHolds, assertLinear, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseCalendar } from './calendar.ts';
import { summariseVcard } from './vcard.ts';

const crlf = (text: string) => text.replace(/^ {2}/gm, '').replaceAll('\n', '\r\n');

const calendar = crlf(`BEGIN:VCALENDAR
  VERSION:2.0
  PRODID:-//Port//Cal//EN
  X-WR-CALNAME:Harbour\\, north
  X-WR-TIMEZONE:Europe/Berlin
  BEGIN:VTIMEZONE
  TZID:Europe/Berlin
  END:VTIMEZONE
  BEGIN:VEVENT
  BEGIN:VALARM
  DESCRIPTION:no
  END:VALARM
  SUMMARY;LANGUAGE=en:High tide\\, spring
  DESCRIPTION:<p>Bring <b>boots</b><br>and a <a href="http://x.example/map">map</a></p>
  DTSTART;TZID=Europe/Berlin:20240215T103000
  DTEND:20240215T113000Z
  LOCATION:Quay 3\\; north
  ORGANIZER;CN="Kim: Example":mailto:kim@x.example
  ATTENDEE;CN=Jo;ROLE=REQ-PARTICIPANT:mailto:j@x.example
  ATTACH;ENCODING=BASE64;VALUE=BINARY:AAAA
  ATTACH:http://x.example/a.pdf
  CATEGORIES:TIDE,SEA
  END:VEVENT
  BEGIN:VTODO
  SUMMARY:Paint the
    boat
  DESCRIPTION:First line\\nsecond line\\n\\nNext
  DUE;VALUE=DATE:20240301
  LAST-MODIFIED:20240216T000000Z
  END:VTODO
  END:VCALENDAR
  `);

test('a calendar gives names, times, places and people, without alarms and markup', async () => {
  const found = await summarised(summariseCalendar, calendar, 'a.ics');
  assertHolds(found, {
    Title: 'Harbour, north',
    Author: 'Kim: Example',
    Keywords: 'TIDE, SEA',
    Date: '2024-02-15T10:30:00',
    End: '2024-03-01',
    'Modification-Date': '2024-02-16T00:00:00Z',
    Place: 'Quay 3; north',
    Attendees: 'Jo',
    'Time-Zone': 'Europe/Berlin',
    Format: 'iCalendar 2.0',
    Entries: '2',
    Headings: 'High tide, spring\nPaint the boat',
  });
  assert.match(found.get('Full-Text') ?? '', /Bring boots\s+and a map\n[^<]*First line\s+second line/);
  assert.doesNotMatch(found.get('Full-Text') ?? '', /<|^no$/m);
  const one =
    'BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nSUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Fl=F6ten=\n kurs\nDTSTART:20240215T233000\nDURATION:P1DT1H\nRRULE:FREQ=DAILY\nEND:VEVENT\nEND:VCALENDAR';
  assertHolds(await summarised(summariseCalendar, one, 'a.vcs'), {
    Title: 'Flöten kurs',
    Date: '2024-02-15T23:30:00',
    End: '2024-02-17T00:30:00',
    Repetition: 'FREQ=DAILY',
    Format: 'vCalendar 1.0',
    Entries: '1',
  });
});

test('entries without an end, and a calendar cut in the middle, are read as far as they go', async () => {
  const cut = calendar.slice(0, calendar.indexOf('DUE'));
  assertHolds(await summarised(summariseCalendar, cut, 'a.ics'), { Entries: '2', Title: 'Harbour, north' });
  const open = 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\nBEGIN:VEVENT\nSUMMARY:b\nEND:VEVENT\n';
  assertHolds(await summarised(summariseCalendar, open, 'a.ics'), { Entries: '2', Headings: 'a\nb' });
});

test('cards of versions 2.1 to 4.0 give names, organisations and addresses in their charsets', async () => {
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  for (const [card, expected] of [
    [
      'VERSION:2.1\nN:Müller;Kim;J.;Dr.;jr.\nORG:Port;Pilots\nTEL;WORK;VOICE:+49 1',
      { Title: 'Dr. Kim J. Müller jr.', Organization: 'Port, Pilots', Telephone: '+49 1' },
    ],
    [
      'VERSION:2.1\nFN;CHARSET=windows-1251:\xc8\xe2\xe0\xed\nNOTE;QUOTED-PRINTABLE;CHARSET=UTF-8:a =C3=A4=\nb=0D=0Ac',
      { Title: 'Иван', Description: 'a äb c' },
    ],
    [
      'VERSION:3.0\nFN:M\xfcller\nEMAIL;TYPE=INTERNET:k@x\nEMAIL:l@x\nCATEGORIES:a\\,b,c',
      { Title: 'Müller', 'Email-1': 'k@x', 'Email-2': 'l@x', Keywords: 'a,b, c' },
    ],
    [
      'VERSION:4.0\nFN:J\xc3\xb6\n rg\nitem1.ADR;LABEL="a:b;c":;;Street 1;Town;;12345;DE\nTEL;VALUE=uri:tel:+49-2\nBDAY:19960415\nREV:20240215T103000Z\nLANG:de',
      {
        Title: 'Jörg',
        Address: 'Street 1, 12345, Town, DE',
        Telephone: '+49-2',
        Birthday: '1996-04-15',
        Date: '2024-02-15T10:30:00Z',
        Language: 'de',
        Format: 'vCard 4.0',
      },
    ],
    [
      'VERSION:3.0\nORG:Port\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\n SkZJRg==',
      { Title: 'Port', 'Full-Text': 'Port\nPort' },
    ],
  ] as const) {
    const found = await summarised(
      summariseVcard,
      bytes(`BEGIN:VCARD\n${card}\nEND:VCARD\n`.replaceAll('ü', '\xc3\xbc')),
      'a.vcf',
    );
    assertHolds(found, expected);
  }
});

test('an address book has the names on its cards, and the name of its file', async () => {
  const book = ['Kim', 'Jo']
    .map((name) => `BEGIN:VCARD\nFN:${name}\nURL:http://h/${name}\nEND:VCARD\n`)
    .join('');
  const found = await summarised(summariseVcard, book, 'a.vcf');
  assertHolds(found, { Cards: '2', Headings: 'Kim\nJo' });
  assert.equal(found.get('Title'), undefined);
  // The last card lost its end.
  assertHolds(await summarised(summariseVcard, book.slice(0, -12), 'a.vcf'), { Cards: '2' });
});

test('cards and calendars are recognised by their first line', () => {
  for (const [content, type] of [
    ['BEGIN:VCARD\r\nFN:a', 'VCard'],
    ['\ufeffbegin:vcalendar\nVERSION:2.0', 'Calendar'],
  ] as const)
    for (const name of ['x', 'x.txt', 'x.dat', 'x.ics'])
      assert.equal(recognise({ url: 'http://h/x', name, bytes: Buffer.from(content) }).type, type, name);
  assert.equal(
    recognise({ url: 'http://h/x', name: 'x', bytes: Buffer.from('BEGIN:VCARDS are') }).type,
    'Text',
  );
});

test('damaged cards and calendars give what they hold, and large ones take linear time', async () => {
  const card = Buffer.from('BEGIN:VCARD\nVERSION:2.1\nFN;ENCODING=QUOTED-PRINTABLE:a=C3=A4=\nb\nEND:VCARD\n');
  await assertSurvives(summariseVcard, [card], 'a.vcf');
  await assertSurvives(summariseCalendar, [Buffer.from(calendar)], 'a.ics');
  const lines = [
    'BEGIN:VCARD\n',
    'FN:a\n',
    ' a\n',
    'N;QUOTED-PRINTABLE:=\n',
    'N;a="b";',
    'END:VCARD\n',
    'ORG:;;;;;;\n',
  ];
  await assertLinear(summariseVcard, lines, 'a.vcf', 'BEGIN:VCARD\n');
  const parts = [
    'BEGIN:VEVENT\n',
    'SUMMARY:a\n',
    'BEGIN:X\n',
    'DESCRIPTION:<b>\n',
    'END:VEVENT\n',
    'CATEGORIES:,,,\n',
  ];
  await assertLinear(summariseCalendar, parts, 'a.ics', 'BEGIN:VCALENDAR\n');
});
