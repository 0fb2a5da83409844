import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bibtexRecords,
  csvRecords,
  jsonLineRecords,
  mboxRecords,
  risRecords,
} from '../../../readers/records/index.ts';
import { summarise } from '../../testing/summary-of.ts';

async function summaryOf(name: string, text: string): Promise<Readonly<Record<string, string>>> {
  const document = { url: `http://site.example/a/${name}`, name, bytes: Buffer.from(text) };
  return Object.fromEntries((await summarise(document)).attributes);
}

const hundred = Array.from({ length: 100 }, (_, at) => at);

test('a bad line of JSON lines is left out, wherever it is', async () => {
  const bad = [
    '{"title": "Two", "text": "broken',
    '{"title": "Two"',
    'no JSON at all',
    '{"title": "Two"}}',
    '{"a": [1, 2}',
    "{'title': 'Two'}",
    '{"title": "Two\\"}',
    '<<<<<<< HEAD',
    '[1, 2',
    '\u0000\u0001',
  ];
  const good = hundred.map((at) => `{"title": "Record ${at}", "text": "words ${at}"}`);
  for (const line of bad)
    for (const at of [0, 1, 50, 100]) {
      const lines = good.toSpliced(at, 0, line);
      const found = await summaryOf('l.jsonl', lines.join('\n'));
      assert.deepEqual([found.Records, found.Title, found.Format], ['100', 'l.jsonl', 'JSON lines'], line);
      assert.match(found['Summary-Note'] ?? '', /not JSON: 1\./);
      assert.equal([...jsonLineRecords(Buffer.from(lines.join('\n')))].length, 100, line);
    }
  // Python writes numbers that are none.
  const python = hundred.map(
    (at) => `{"title": "Record ${at}", "x": [NaN, -Infinity], "text": "a: NaN, ${at}"}`,
  );
  const numbers = await summaryOf('l.jsonl', python.join('\n'));
  assert.deepEqual([numbers.Records, numbers['Summary-Note']], ['100', undefined]);
  assert.equal([...jsonLineRecords(Buffer.from(python.join('\n')))].length, 100);
  assert.equal((await summaryOf('l.json', '{"x": NaN, "title": "T"}')).Title, 'T');
  // What no reader of its type understands is text.
  assert.equal((await summaryOf('l.json', "{'title': 'Tide'}"))['Full-Text'], "{'title': 'Tide'}");
  assert.match((await summaryOf('b.nbib', 'PMID- 1\nTI  - Tides\n'))['Full-Text'] ?? '', /Tides/);
  // A list with an object a line, and a text sequence (RFC 7464).
  const list = `[\n${good.toSpliced(7, 0, '{"title": broken').join(',\n')}\n]`;
  assert.equal((await summaryOf('l.json', list)).Records, '100');
  const sequence = `${good.map((line) => `\u001e${line}\n`).join('')}`;
  assert.deepEqual((await summaryOf('l.json', sequence))['Summary-Note'], undefined);
  // One JSON text that breaks off is not JSON lines.
  const cut = await summaryOf('l.json', '{\n"title": "T",\n"a": {"b": 1},\n"c": [1, 2\n');
  assert.match(cut['Summary-Note'] ?? '', /breaks off/);
});

test('a quotation mark without a partner ends no table', async () => {
  const bad = ['"two,x', 'two,"x', 'two,"x"y",z', '"two"x,"y', '""",x', 'two,"x\ny', '"', 'a,b,c,d,e', ''];
  for (const line of bad)
    for (const [sign, name] of [
      [',', 't.csv'],
      ['\t', 't.tsv'],
      [';', 't.csv'],
    ] as const) {
      const rows = hundred.map((at) => `name ${at},"quoted ""value"" ${at}"`);
      const text = ['name,value', ...rows.toSpliced(50, 0, line)].join('\n').replaceAll(',', sign);
      const records = [...csvRecords(text)];
      assert.deepEqual(records.at(-1)?.fields, [
        ['name', 'name 99'],
        ['value', 'quoted "value" 99'],
      ]);
      const whole = records.filter(({ fields }) => /^quoted "value" \d+$/.test(fields[1]?.[1] ?? ''));
      assert.equal(whole.length, 100, line);
      const { 'Full-Text': words = '', Rows } = await summaryOf(name, text);
      assert.ok(words.includes('name 99 quoted "value" 99'), line);
      assert.ok(Number(Rows) >= 100);
    }
});

test('many marks without partners cost time in proportion to the text', () => {
  const text = `a,b\n${`"${'x""'.repeat(4)}\n`.repeat(60_000)}`;
  assert.equal([...csvRecords(text)].length, 60_000);
});

test('a faulty line of a bibliography loses at most its own field or record', async () => {
  const entry = (at: number) =>
    `@book{k${at},\n  title = {Title ${at}},\n  year = {19${10 + (at % 90)}},\n}\n`;
  const bad = [
    '@book{bad,\n  title = {Open,\n  year = {1990},\n}\n',
    '@book{bad,\n  title {No sign},\n  year = {1990},\n}\n',
    '@book{bad,\n  title = "Open,\n  year = {1990}\n}\n',
    '@book{bad, title = {A} year = {1990}}\n',
    '@book(bad, title = {A}\n',
    '@book\n',
    '}}}}\n',
    '@string{a = }\n',
    '@comment{ {unbalanced }\n',
  ];
  for (const text of bad) {
    const source = hundred.map(entry).toSpliced(50, 0, text).join('\n');
    const titles = [...bibtexRecords(source)].map(
      ({ fields }) => fields.find(([name]) => name === 'title')?.[1],
    );
    for (const at of hundred) assert.ok(titles.includes(`Title ${at}`), `${text} ${at}`);
    assert.ok(Number((await summaryOf('b.bib', source)).Entries) >= 100, text);
  }
  const record = (at: number) => `TY  - BOOK\nTI  - Title ${at}\nER  - \n`;
  for (const text of [
    'garbage\n',
    'TY  - BOOK\nTI  - Open\n',
    'ER  - \n',
    'TI  - Lost\n',
    'TY\n',
    'XX - ?\n',
  ]) {
    const source = hundred.map(record).toSpliced(50, 0, text).join('\n');
    const titles = [...risRecords(source)].map(({ fields }) => fields.find(([name]) => name === 'ti')?.[1]);
    for (const at of hundred)
      assert.ok(
        titles.some((title) => title?.startsWith(`Title ${at}`)),
        `${text} ${at}`,
      );
    assert.ok(Number((await summaryOf('b.ris', source)).Entries) >= 100, text);
  }
  const [recovered] = [
    ...bibtexRecords('@book{a,\n  title = {Open,\n  year {1990},\n  author = {Kim},\n}\n'),
  ];
  assert.deepEqual(recovered?.fields.at(-1), ['author', 'Kim']);
});

test('a faulty line of a mailbox loses no message', async () => {
  const message = (at: number) => `From a@x Sat Nov 21 11:13:50 2026\nSubject: Mail ${at}\n\nWords ${at}\n\n`;
  const empty = 'From a@x Sat Nov 21 11:13:50 2026\n';
  const bad = ['From nobody\n', '\u0000\n', ': no name\n', 'From \n', 'x\nFrom now until 10:30 it rains\n'];
  for (const text of [empty, ...bad, ...bad.map((line) => `${line}more\n\n`)]) {
    const source = hundred.map(message).toSpliced(50, 0, text).join('');
    const found = [...mboxRecords(Buffer.from(source))].map(({ bytes }) => Buffer.from(bytes).toString());
    const whole = found.filter((mail) => /^Subject: Mail (\d+)\n\nWords \1$/m.test(mail));
    assert.equal(whole.length, 100, text);
    assert.ok(
      found.every((mail) => mail.split('Subject: ').length <= 2),
      text,
    );
    // The line belongs to the message before or behind it.
    assert.equal(found.length, 100, text);
  }
});

test('a faulty cue of subtitles loses no other, and escapes are read', async () => {
  const cue = (at: number) =>
    `00:00:${String(at % 60).padStart(2, '0')}.000 --> 00:01:00.000\nWords ${at}\n\n`;
  const bad = [
    '00:00:xx --> 00:\nbad\n\n',
    '-->\n\n',
    'NOTE\n\n',
    '00:00:01.000 -> 00:00:02.000\nshort arrow\n\n',
    '00:01 --> 00:02\nno ms\n',
  ];
  for (const text of bad) {
    const found = await summaryOf('f.vtt', `WEBVTT\n\n${hundred.map(cue).toSpliced(50, 0, text).join('')}`);
    for (const at of hundred) assert.ok(`${found['Full-Text']}\n`.includes(`Words ${at}\n`), `${text} ${at}`);
    assert.ok(!found['Full-Text']?.includes('-->'), text);
  }
  const { 'Full-Text': text } = await summaryOf(
    'f.vtt',
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Kim>A &amp; B &lt;c&gt; &eacute;&#233;&nbsp;1 &lrm;x a&b AT&T;</v>\n',
  );
  assert.equal(text, 'A & B <c> éé 1 \u200ex a&b AT&T;');
});
