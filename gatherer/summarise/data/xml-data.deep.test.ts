import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  installedFile,
  summarised,
} from '../../testing/summarise-sample.ts';
import { summariseXmlData } from './xml-data.ts';

const docbook = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE book PUBLIC "-//OASIS//DTD DocBook XML V4.5//EN" "x" [ <!ENTITY lol "lol"> <!ENTITY lol2 "&lol;&lol;"> ]>
<book lang="en"><bookinfo><title>On <emphasis>bees</emphasis></title>
<author><firstname>Ann</firstname><surname>Other</surname></author>
<pubdate>1999</pubdate><abstract><para>All of them.</para></abstract>
<keywordset><keyword>bees</keyword><keyword>wax</keyword></keywordset></bookinfo>
<chapter><title>Wings &amp; legs</title><para>Six l\xe9gs &lol2; and <ulink url="http://a.example/b">more</ulink>.</para>
<example><title>An example</title><author>nobody</author></example></chapter></book>`;

test('DocBook', async () => {
  const bytes = Buffer.from(docbook, 'latin1');
  const found = await summarised(summariseXmlData, bytes, 'x.xml');
  assertHolds(found, {
    Title: 'On bees',
    Format: 'DocBook',
    Author: 'Ann Other',
    Date: '1999',
    Description: 'All of them.',
    Keywords: 'bees, wax',
    Language: 'en',
    'Root-Element': 'book',
    'Document-Type': 'book -//OASIS//DTD DocBook XML V4.5//EN',
    Headings: 'On bees\nWings & legs\nAn example',
  });
  assert.match(found.get('Full-Text') ?? '', /^Six légs &lol2; and more\.$/m);
  assert.match(found.get('Elements') ?? '', /^title: 3$/m);
});

test('TEI, GPX, RDF and unknown vocabularies', async () => {
  assertHolds(
    await summarised(
      summariseXmlData,
      '<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>Letters</title><author>Ann</author></titleStmt><publicationStmt><publisher>Hive</publisher><date>1850</date></publicationStmt></fileDesc></teiHeader><text><body><p>Dear bee</p></body></text></TEI>',
      'x.xml',
    ),
    {
      Title: 'Letters',
      Format: 'TEI',
      Author: 'Ann',
      Publisher: 'Hive',
      Date: '1850',
      Namespaces: 'http://www.tei-c.org/ns/1.0',
    },
  );
  assertHolds(
    await summarised(
      summariseXmlData,
      '<gpx xmlns="g"><metadata><name>n</name></metadata><trk><trkpt/><trkpt/></trk></gpx>',
      'x.gpx',
    ),
    {
      Format: 'GPX',
      'Element-Count': '6',
      Elements: 'trkpt: 2\ngpx: 1\nmetadata: 1\nname: 1\ntrk: 1',
    },
  );
  assertHolds(
    await summarised(
      summariseXmlData,
      '<project><name>Hive</name><b><name>inner</name></b></project>',
      'x.xml',
    ),
    { Title: 'Hive' },
  );
});

test('broken XML gives the readable part', async () => {
  assertHolds(await summarised(summariseXmlData, '<a><b>one</c></b><d>two', 'x.xml'), {
    'Element-Count': '3',
    'Full-Text': 'one\ntwo',
  });
  await assert.rejects(summarised(summariseXmlData, 'no element', 'x.xml'), SyntaxError);
});

test('a document of the system', async (t) => {
  const bytes = installedFile(t, '/usr/share/mime/packages/freedesktop.org.xml', 'shared-mime-info');
  if (bytes === undefined) return;
  const found = await summarised(summariseXmlData, bytes, 'freedesktop.org.xml');
  assertHolds(found, { 'Root-Element': 'mime-info' });
  assert.match(found.get('Elements') ?? '', /^comment: \d{4,}\n/);
});

test('no document is too strange or too slow', async () => {
  await assertSurvives(summariseXmlData, [Buffer.from(docbook, 'latin1')], 'x.xml');
  const parts = [
    '<a>',
    '</a>',
    '<a b="c">x</a>',
    '<!--',
    '<![CDATA[',
    '&amp;',
    '<',
    '<a ',
    '<title>',
    '<a></b>',
    '<a><author>',
    '<!DOCTYPE a [',
  ];
  await assertLinear(summariseXmlData, parts, 'x.xml', '<r>');
});

test('the title of XML is the name of the whole, not of its parts', async () => {
  const table: readonly (readonly [xml: string, title: string | undefined, description?: string])[] = [
    [
      '<gpx><metadata><name>Coast</name><desc>D</desc></metadata><wpt><name>Pier</name></wpt></gpx>',
      'Coast',
      'D',
    ],
    ['<gpx><name>Old GPX</name><desc>D</desc><wpt><name>Pier</name></wpt></gpx>', 'Old GPX', 'D'],
    ['<gpx><metadata><time>2019</time></metadata><trk><name>Morning ride</name></trk></gpx>', 'Morning ride'],
    ['<gpx><wpt><name>Pier</name></wpt><rte><name>Round trip</name></rte></gpx>', 'Round trip'],
    ['<gpx><wpt><name>Pier</name><desc>d</desc></wpt></gpx>', undefined],
    ['<kml><Document><name>Map</name><Placemark><name>Pier</name></Placemark></Document></kml>', 'Map'],
    ['<project><name>Garden</name><dependencies><d><name>x</name></d></dependencies></project>', 'Garden'],
    ['<score-partwise><movement-title>Waltz</movement-title></score-partwise>', 'Waltz'],
    ['<ead><eadheader><titlestmt><titleproper>Papers</titleproper></titlestmt></eadheader></ead>', 'Papers'],
    [
      '<playlist><title>Songs</title><trackList><track><title>One</title></track></trackList></playlist>',
      'Songs',
    ],
  ];
  for (const [xml, title, description] of table) {
    const found = await summarised(summariseXmlData, xml, 'x.xml');
    assert.deepEqual([found.get('Title'), found.get('Description')], [title, description], xml);
  }
});

test('relative links of XML are resolved by xml:base, the nearest first', async () => {
  const xml = `<set xmlns:xlink="x" xml:base="http://h/a/"><x xlink:href="one"/><part xml:base="b/"><x href="two"/>
<x href="/three"/></part><x href="four"/><x xml:base="http://other/" href="five"/><x href="javascript:x"/></set>`;
  const { references } = await summariseXmlData(
    {
      url: 'http://h/x.xml',
      name: 'x.xml',
      bytes: Buffer.from(xml),
      type: 'XML',
      mediaType: 'application/xml',
    },
    { text: 'full', maxTextBytes: 1e6, maxDocumentBytes: 1e6 },
  );
  assert.deepEqual([...references].sort(), [
    'http://h/a/b/two',
    'http://h/a/four',
    'http://h/a/one',
    'http://h/three',
    'http://other/five',
  ]);
});

test('a folder of places has its own name, not that of its first place', async () => {
  for (const holder of ['Document', 'Folder']) {
    const kml = `<kml><${holder}><name>Coast walk</name><Placemark><name>Pier</name></Placemark></${holder}></kml>`;
    assertHolds(await summarised(summariseXmlData, kml, 'x.kml'), { Title: 'Coast walk', Format: 'KML' });
  }
});
