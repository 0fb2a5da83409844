import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { storedZip } from '../../readers/testing/stored-zip.ts';
import { recognise } from './recognise.ts';
import { signatures } from './signature-table.ts';

type Row = readonly [name: string, content: string | Uint8Array, type: string, refuted?: string];

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? Buffer.from(content, 'latin1') : content;

const recognised = (name: string, content: string | Uint8Array, contentType?: string) =>
  recognise({
    url: `http://site.example/${name}`,
    name,
    bytes: bytesOf(content),
    ...(contentType && { contentType }),
  });

function assertTypes(rows: readonly Row[]): void {
  for (const [name, content, type, refuted = ''] of rows) {
    const found = recognised(name, content);
    const start = bytesOf(content).subarray(0, 40).toString();
    assert.deepEqual([name, start, found.type, found.refuted.join()], [name, start, type, refuted]);
  }
}

const page = '<!DOCTYPE html><html><head><title>Login</title></head><body><p>log in</p></body></html>';
const table = 'Name;Height;Port\nTide;4;A\nEbb;2;B\n';
const rtf = '{\\rtf1\\ansi Words}';
const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0';
const jpeg = '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0';
const pdf = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n';
const noise = Uint8Array.from({ length: 3000 }, (_, at) => at * at * 7 + (at >> 3) * 13 + at * 31);
const gzip = gzipSync('packed words\n');
const word = storedZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' });
const sheet = storedZip({ '[Content_Types].xml': '<Types/>', 'xl/workbook.xml': '<w/>' });
const zip = storedZip({ 'a.txt': 'words\n', 'b.html': page });
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const film = Buffer.concat(
  Array.from({ length: 6 }, () => Buffer.concat([bytesOf('G\x40\0\x10'), Buffer.alloc(184, 255)])),
);
const cameraFilm = Buffer.concat(
  Array.from({ length: 6 }, () => Buffer.concat([bytesOf('\0\0\0\0G\x40\0\x10'), Buffer.alloc(184, 255)])),
);

/** The header and directory of a compound file with one stream. */
function compound(stream: string): Buffer {
  const file = Buffer.alloc(1536);
  file.write('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1');
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.write(stream, 1024, 'utf16le');
  file.writeUInt16LE(2 * stream.length + 2, 1024 + 64);
  return file;
}

test('a file called s.something is SCCS only by its bytes, else what its extension says', () => {
  assertTypes([
    ['s.html', '<title>S</title>', 'HTML'],
    ['s.csv', table, 'Data'],
    ['s.js', 'function tide() {}\n', 'JavaScript'],
    ['s.zip', zip, 'PCCompressed'],
    ['s.md', '# S\n', 'Markdown'],
    ['s.rst', 'S\n=\n', 'RST'],
    ['s.srt', '1\n00:00:00,000 --> 00:00:01,000\nhello\n', 'Subtitles'],
    ['s.vtt', 'WEBVTT\n\n00:00.000 --> 00:01.000\nhello\n', 'Subtitles'],
    ['s.tide', 'plain words\n', 'Text'],
    ['s.main.c', '\x01h01234\n\x01s 00001/00000/00000\n', 'SCCS'],
    ['s.notes', '\x01h01234\n\x01s 00001/00000/00000\n', 'SCCS'],
  ]);
});

test('a video stream is seen wherever it begins, and the letters of a genome are none', () => {
  const packets = (size: number) =>
    Buffer.concat(
      Array.from({ length: 6 }, () => Buffer.concat([bytesOf('G\x40\0\x10'), Buffer.alloc(size - 4, 255)])),
    );
  assertTypes([
    ['a.ts', Buffer.concat([Buffer.alloc(30, 255), packets(188)]), 'Video', 'OtherCode'],
    ['a.ts', packets(204), 'Video', 'OtherCode'],
    ['a.ts', '<TS version="2.1" language="de"><context/></TS>', 'XML', 'OtherCode'],
    ['a.txt', 'G'.repeat(2000), 'Text'],
    ['genome', 'GATTACACCGGTTAAGGCCTTAAGGG\n'.repeat(60), 'Text'],
  ]);
});

test('a workbook by name may be HTML, a table of text, XML, a saved page or another document', () => {
  assertTypes([
    ['a.xls', page, 'HTML', 'MSExcel'],
    ['a.xls', '<html><table><tr><td>1</table></html>', 'HTML', 'MSExcel'],
    ['a.xls', table, 'Data', 'MSExcel'],
    ['a.xls', 'Name\tHeight\nTide\t4\n', 'Data', 'MSExcel'],
    ['a.xls', 'Name,Height\nTide,4\n', 'Data', 'MSExcel'],
    ['a.xls', '\xcd\xe0\xe7\xe2\xe0\xed\xe8\xe5\t\xd6\xe5\xed\xe0\n\xcf\xee\xf0\xf2\t4\n', 'Data', 'MSExcel'],
    ['a.xls', utf16('\ufeffName\tHeight\nTide\t4\n'), 'Data', 'MSExcel'],
    ['a.xls', '<?xml version="1.0"?>\n<Workbook/>', 'XML', 'MSExcel'],
    [
      'a.xls',
      'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n',
      'MHTML',
      'MSExcel',
    ],
    ['a.xls', 'A sentence of words.\n', 'Text', 'MSExcel'],
    ['a.xls', compound('Workbook'), 'MSExcel'],
    ['a.xls', compound('WordDocument'), 'MSWord', 'MSExcel'],
    ['a.xls', '\x09\x08\x10\0\0\x06\x05\0\xbb\x0d\xcc\x07', 'MSExcel'],
    ['a.xls', sheet, 'MSExcel'],
    ['a.xls', word, 'MSWord', 'MSExcel'],
    ['a.xls', noise, 'MSExcel'],
    ['a.xlsx', '', 'MSExcel'],
  ]);
});

test('a text document by name may be RTF, HTML, a package, plain text or a PDF', () => {
  assertTypes([
    ['a.doc', rtf, 'RTF', 'MSWord'],
    ['a.doc', page, 'HTML', 'MSWord'],
    ['a.doc', word, 'MSWord'],
    ['a.doc', compound('WordDocument'), 'MSWord'],
    ['a.doc', compound('PowerPoint Document'), 'MSPowerPoint', 'MSWord'],
    ['a.doc', 'Plain words\n', 'Text', 'MSWord'],
    ['a.doc', utf16('\ufeffPlain words\n'), 'Text', 'MSWord'],
    ['a.doc', pdf, 'PDF', 'MSWord'],
    ['a.doc', 'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\n', 'MHTML', 'MSWord'],
    ['a.doc', '\xffWPC\x10\0\0\0\x01\x0a\0\0', 'MSWord'],
    ['a.docx', zip, 'PCCompressed', 'MSWord'],
    ['a.docx', sheet, 'MSExcel', 'MSWord'],
    ['a.docx', word.subarray(0, word.length - 60), 'MSWord'],
    ['a.docx', 'PK\x03\x04', 'MSWord'],
    ['a.odt', word, 'MSWord', 'OpenDocument'],
    ['a.fodt', '<?xml version="1.0"?><office:document/>', 'OpenDocument'],
    ['a.rtf', 'Plain words\n', 'Text', 'RTF'],
    ['a.epub', zip, 'PCCompressed', 'EPUB'],
    ['a.zip', word, 'MSWord', 'PCCompressed'],
  ]);
});

test('a feed by name may be other XML, JSON or text', () => {
  assertTypes([
    ['a.rss', '<?xml version="1.0"?><book><title>T</title></book>', 'XML', 'Feed'],
    ['a.atom', '{"title": "T"}', 'JSON', 'Feed'],
    ['a.rss', 'tides without a feed', 'Text', 'Feed'],
    ['a.atom', '<a:feed xmlns:a="http://www.w3.org/2005/Atom">', 'Feed'],
    ['a.rss', utf16('\ufeff<rss version="2.0">'), 'Feed'],
    ['a.rdf', '<rdf:RDF xmlns="http://purl.org/rss/1.0/">', 'Feed'],
  ]);
});

test('.ts, .m, .h, .pl and .dat are what their bytes are', () => {
  assertTypes([
    ['a.ts', 'export const tide = (a: number): number => a;\n', 'OtherCode'],
    ['a.ts', film, 'Video', 'OtherCode'],
    ['a.mts', cameraFilm, 'Video', 'OtherCode'],
    ['a.ts', '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS version="2.1"/>', 'XML', 'OtherCode'],
    ['a.ts', '<!DOCTYPE TS><TS version="2.1"/>', 'XML', 'OtherCode'],
    ['a.tsx', '<?xml version="1.0"?><tileset/>', 'XML', 'OtherCode'],
    ['a.ts', page, 'HTML', 'OtherCode'],
    ['a.m', '#import <Foundation/Foundation.h>\n@interface Tide\n@end\n', 'OtherCode'],
    ['a.mm', '#import <Foundation/Foundation.h>\n@implementation Tide\n@end\n', 'OtherCode'],
    ['a.mm', '.\\" memo\n.TL\nTides\n', 'Troff'],
    ['a.mm', '<map version="1.0.1"><node TEXT="Tide"/></map>', 'XML', 'Troff'],
    ['a.me', 'About me, words.\n', 'Text', 'Troff'],
    ['a.h', '#pragma once\nclass Tide {};\n', 'CHeader'],
    ['a.pl', '#!/usr/bin/perl\nuse strict;\n', 'Perl'],
    ['a.pl', 'package Tide;\nour $x = 1;\n1;\n', 'Perl'],
    ['a.pl', ':- module(tide, [rise/2]).\nrise(X, Y) :- Y is X + 1.\n', 'OtherCode'],
    ['a.pl', 'parent(anna, bert).\ngrand(X, Y) :- parent(X, Z), parent(Z, Y).\n', 'OtherCode'],
    ['a.pm', '/* XPM */\nstatic char *x[] = {"1 1 1 1"};\n', 'Image', 'Perl'],
    ['a.cls', '\\ProvidesClass{tide}\n', 'Tex'],
    ['a.cls', 'VERSION 1.0 CLASS\nBEGIN\nEND\n', 'Text', 'Tex'],
    ['a.map', '{"version":3}', 'JSON'],
    ['a.map', 'Archive member included\n', 'Text', 'JSON'],
    ['a.obj', 'v 1 2 3\nf 1 2 3\n', 'Text', 'Object'],
    ['a.so', '/* GNU ld script */\nGROUP ( /lib/libc.so.6 )\n', 'Text', 'Object'],
    ['a.vcf', 'BEGIN:VCARD\nFN:Kim\nEND:VCARD\n', 'VCard'],
    ['a.vcf', '##fileformat=VCFv4.2\n#CHROM\tPOS\n', 'Text', 'VCard'],
    ['a.mif', 'Version 300\nCharset "Neutral"\n', 'Text', 'Framemaker'],
    ['passwd.master', 'root:*:0:0\nbin:*:1:1\n', 'Text', 'HTML'],
    ['a.master', '<%@ Master %><html><body>x</body></html>', 'HTML'],
    ['a.src', 'Words of a source.\n', 'Text', 'WaisSource'],
    ['a.bib', 'Words and no works.\n', 'Text', 'Bibliographic'],
    ['winmail.dat', '\x78\x9f\x3e\x22\x01\0\x01\x90', 'TNEF'],
    ['a.dat', '\x78\x9f\x3e\x22\x01\0\x01\x90', 'TNEF', 'Data'],
    ['winmail.dat', table, 'Data'],
    ['winmail.dat', noise, 'Data'],
    ['a.dat', table, 'Data'],
    ['a.dat', 'Words of prose.\nMore words.\n', 'Text', 'Data'],
    ['a.dat', '{"tide": 1, "ebb": 2}', 'JSON', 'Data'],
    ['a.dat', png, 'Image', 'Data'],
    ['a.dat', gzip, 'GNUCompressed', 'Data'],
    ['a.dat', noise, 'Data'],
    ['a.bin', '#!/bin/sh\necho\n', 'ShellScript', 'Binary'],
    ['a.bin', noise, 'Binary'],
  ]);
});

test('bytes refute the name: other formats, binary data as text, text as binary data', () => {
  assertTypes([
    ['a.pdf', page, 'HTML', 'PDF'],
    ['a.pdf', `\r\n\r\n${page}`, 'HTML', 'PDF'],
    ['a.pdf', 'Not found\n', 'Text', 'PDF'],
    ['a.pdf', rtf, 'RTF', 'PDF'],
    ['a.pdf', jpeg, 'Image', 'PDF'],
    ['a.pdf', '%!PS-Adobe-3.0\n', 'PostScript', 'PDF'],
    ['a.pdf', `HTTP/1.1 200 OK\r\n\r\n${pdf}`, 'PDF'],
    ['a.pdf', pdf.slice(0, 12), 'PDF'],
    ['report', `\r\n\n${pdf}`, 'PDF'],
    ['report.txt', `\xef\xbb\xbf${pdf}`, 'PDF', 'Text'],
    ['a.html', gzip, 'GNUCompressed', 'HTML'],
    ['a.html', pdf, 'PDF', 'HTML'],
    ['a.html', jpeg, 'Image', 'HTML'],
    ['a.html', noise, 'Unrecognized', 'HTML'],
    ['a.html', '{"tide": 1}', 'JSON', 'HTML'],
    ['a.html', 'Words without tags\n', 'HTML'],
    ['a.gz', 'not packed\n', 'Text', 'GNUCompressed'],
    ['a.gz', page, 'HTML', 'GNUCompressed'],
    ['a.gz', zip, 'PCCompressed', 'GNUCompressed'],
    ['a.tar.gz', page, 'HTML', 'GNUCompressedTar'],
    ['a.tar.gz', gzip, 'GNUCompressedTar'],
    ['a.tar', gzip, 'GNUCompressed', 'Tar'],
    ['a.zip', page, 'HTML', 'PCCompressed'],
    ['a.jar', zip, 'Archive'],
    ['a.jpg', page, 'HTML', 'Image'],
    ['a.jpg', png, 'Image'],
    ['a.jpg', 'Not found\n', 'Text', 'Image'],
    ['a.png', '\x89PNG', 'Image'],
    ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'Image'],
    ['a.svg', page, 'HTML', 'Image'],
    ['a.svgz', gzip, 'Image'],
    ['a.xbm', '#define t_width 8\n#define t_height 1\n', 'Image'],
    ['a.mp3', page, 'HTML', 'Audio'],
    ['a.mp4', '{"error": "gone"}', 'JSON', 'Video'],
    ['a.txt', pdf, 'PDF', 'Text'],
    ['a.txt', gzip, 'GNUCompressed', 'Text'],
    ['a.txt', page, 'HTML', 'Text'],
    ['a.txt', noise, 'Unrecognized', 'Text'],
    ['a.txt', utf16('Words of sixteen bits\n'), 'Text'],
    ['a.txt', utf16('Words of sixteen bits\n').swap16(), 'Text'],
    ['a.txt', '', 'Text'],
    ['a.txt', 'OTTO VON BISMARCK\n', 'Text'],
    ['a.txt', 'MZ is a mark of programs\n', 'Text'],
    ['a.js', page, 'HTML', 'JavaScript'],
    ['a.json', page, 'HTML', 'JSON'],
    ['a.xml', 'no tags\n', 'Text', 'XML'],
    ['a.xml', `<?xml version="1.0"?>${page}`, 'HTML', 'XML'],
    ['a.csv', sheet, 'MSExcel', 'Data'],
    ['README.png', png, 'Image'],
    ['a.kml', '<kml><Folder><name>Coast</name></Folder></kml>', 'XML'],
    ['a.html', '<title>Ti\x01de</title><p>Words\x02 of\x03 it', 'HTML'],
    ['README', page, 'HTML', 'README'],
    ['a.html~', page, 'Backup'],
  ]);
});

test('bytes refute the HTTP header; then the name proposes', () => {
  const typeOf = (name: string, content: string, header: string) => {
    const { type, by, refuted } = recognised(name, content, header);
    return [type, by, refuted.join()];
  };
  assert.deepEqual(typeOf('x', page, 'image/jpeg'), ['HTML', 'content', 'Image']);
  assert.deepEqual(typeOf('x', png, 'text/html'), ['Image', 'content', 'HTML']);
  assert.deepEqual(typeOf('x.md', '# Tide\n', 'application/pdf'), ['Markdown', 'name', 'PDF']);
  assert.deepEqual(typeOf('x.pdf', page, 'application/pdf'), ['HTML', 'content', 'PDF']);
  assert.deepEqual(typeOf('x', '{"a": 1}', 'text/html'), ['JSON', 'content', 'HTML']);
});

test('single zero bytes do not make a text binary', () => {
  const text = '<!doctype html><title>Tide</title><p>words of a page that is short';
  for (let at = 0; at <= text.length; at++)
    assert.equal(recognised('a.html', `${text.slice(0, at)}\0${text.slice(at)}`).type, 'HTML', `at ${at}`);
  assert.equal(recognised('a.txt', 'one\0zero in a text\n').type, 'Text');
  assert.equal(recognised('a', 'words\n'.repeat(200).replace('s\nw', '\0')).type, 'Text');
  assert.equal(recognised('a.pdf', 'words\n'.repeat(200).replace('s\nw', '\0')).type, 'Text');
  assert.equal(recognised('a.html', text.replaceAll(' ', '\0')).type, 'HTML');
  assert.equal(recognised('a.txt', `\x01\x02\x03${'\0'.repeat(50)}`).type, 'Unrecognized');
});

test('a #! line names the type, behind env, its options and its variables', () => {
  for (const [line, type] of [
    ['/usr/bin/env -S python3 -u', 'Python'],
    ['/usr/bin/env -S FOO=1 node --flag', 'JavaScript'],
    ['/usr/bin/env -S uv run --script', 'Python'],
    ['/usr/bin/env -iS python3', 'Python'],
    ['/usr/bin/env -S"perl -w"', 'Perl'],
    ['/usr/bin/env -vS ruby', 'OtherCode'],
    ['/usr/bin/env -u HOME bash', 'ShellScript'],
    [' /usr/bin/env --split-string=awk -f', 'Awk'],
    ['/usr/bin/env -S npx tsx', 'OtherCode'],
    ['/usr/bin/make -f', 'Makefile'],
    ['/bin/busybox sh', 'ShellScript'],
    ['/usr/local/bin/python3.11', 'Python'],
    ['/usr/bin/wish8.6', 'Tcl'],
    ['/bin/tcsh -f', 'ShellScript'],
    ['/bin/sh\nexec tclsh "$0" "$@"', 'Tcl'],
    ['/usr/sbin/nft -f', 'OtherCode'],
  ] as const)
    assert.deepEqual([line, recognised('tool', `#!${line}\nwords\n`).type], [line, type]);
  const misnamed = recognised('run.sh', '#!/usr/bin/python3\nimport tide\n');
  assert.deepEqual([misnamed.type, misnamed.refuted], ['Python', ['ShellScript']]);
  assert.equal(recognised('run.tcl', '#!/bin/sh\nexec tclsh "$0"\n').type, 'Tcl');
});

test('documents without extension have the type of their bytes', () => {
  assertTypes([
    ['vector', '// <vector> -*- C++ -*-\nnamespace std {}\n', 'OtherCode'],
    ['setup', '# -*- mode: python -*-\nimport tide\n', 'Python'],
    ['QString', '/* Tides */\n#include "qstring.h"\n', 'C'],
    ['program', '#include <cstdio>\nint main() { return 0; }\n', 'C'],
    ['Colours', '#include "Viewer"\n*tide: blue\n', 'Text'],
    ['tide', '// Tides\n#ifndef TIDE_H\n#define TIDE_H\n#endif\n', 'CHeader'],
    ['data', '{"tide": [1, 2]}\n', 'JSON'],
    ['letter', 'From: a@b.example\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n\nwords\n', 'Mail'],
    ['paper', '% a comment\n\\documentclass{article}\n', 'Tex'],
    ['film', film, 'Video'],
    ['font', 'STARTFONT 2.1\n', 'Font'],
    ['notes', 'Only words\n', 'Text'],
    ['noise', noise, 'Unrecognized'],
  ]);
});

test('under no name is a document with fixed bytes of a binary format a text', () => {
  const binary = signatures.filter(({ type }) => !['PostScript', 'RTF', 'Framemaker', 'Font'].includes(type));
  const names = ['a.txt', 'a.html', 'a.c', 'a.json', 'README', 'a.md', 'a.csv', 'a.xml', 'a.ts'];
  fc.assert(
    fc.property(fc.constantFrom(...binary), fc.constantFrom(...names), ({ at, bytes, type }, name) => {
      const content = bytesOf(`${'\x01'.repeat(at)}${bytes}`.padEnd(80, '\x02\x80\xff'));
      const found = recognised(name, content).type;
      // A compound file or zip of an unknown kind may be any of the formats in it.
      assert.equal(found, type === 'EPUB' || type === 'OpenDocument' ? found : type, `${bytes} as ${name}`);
    }),
  );
});

test('recognition of large hostile documents reads a bounded beginning under any name', async () => {
  const names = ['a.h', 'a.pl', 'a.m', 'a.xls', 'a.dat', 'a.bib', 'a.html', 'a.ts', 'a.mm', 'a', 's.x'];
  const starts = ['/*', '//\n', '#!/usr/bin/env -S ', '<!--', '{"', '%\n', ':- ', '-*- ', 'A: b\n', '\t;'];
  await assertCpuMs(2000, () => {
    for (const name of names) for (const start of starts) recognised(name, start.repeat(300_000));
  });
});
