import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { parseContentType, recognise } from './recognise.ts';
import { typeNames } from './type-names.ts';

const bytesOf = (text: string) => Buffer.from(text, 'latin1');

function typeOf(given: { url?: string; name?: string; header?: string; content?: string }) {
  const name = given.name ?? '';
  return recognise({
    url: given.url ?? `http://site.example/${name}`,
    name,
    bytes: bytesOf(given.content ?? ''),
    ...(given.header === undefined ? {} : { contentType: given.header }),
  });
}

test('names show the type', () => {
  const expected: Readonly<Record<string, string>> = {
    'index.html': 'HTML',
    'INDEX.HTM': 'HTML',
    'notes.md': 'Markdown',
    'README.md': 'Markdown',
    README: 'README',
    'readme.txt': 'README',
    'notes.txt': 'Text',
    ChangeLog: 'Text',
    'rfc2655.txt': 'RFC',
    'draft-ietf-cip-soif-02.txt': 'Internet-Draft',
    Makefile: 'Makefile',
    'photo.JPG': 'Image',
    'song.mp3': 'Audio',
    'paper.pdf': 'PDF',
    'paper.ps': 'PostScript',
    'source.tar.gz': 'GNUCompressedTar',
    'source.tgz': 'GNUCompressedTar',
    'old.tar.Z': 'CompressedTar',
    'page.html~': 'Backup',
    'main.c': 'C',
    'main.h': 'CHeader',
    'fix.patch': 'Patch',
  };
  for (const [name, type] of Object.entries(expected))
    assert.deepEqual({ name, type: typeOf({ name }).type }, { name, type });
});

test('the order is URL, specific header, name, content, and the source of the type is reported', () => {
  const url = 'ftp://site.example/pub/';
  assert.deepEqual([typeOf({ url, header: 'text/html' }).type, typeOf({ url }).by], ['Directory', 'url']);

  const wiki = typeOf({ name: 'File:Photo.jpg', header: 'text/html; charset=UTF-8', content: '<html>' });
  assert.deepEqual(wiki, {
    type: 'HTML',
    mediaType: 'text/html',
    charset: 'utf-8',
    by: 'header',
    refuted: [],
  });

  const plain = typeOf({ name: 'notes.md', header: 'text/plain; charset=iso-8859-1', content: '# A' });
  assert.deepEqual([plain.type, plain.by, plain.charset], ['Markdown', 'name', 'iso-8859-1']);

  const unknown = typeOf({ name: 'fetch.cgi', header: 'application/octet-stream', content: '%PDF-1.7' });
  assert.deepEqual([unknown.type, unknown.by], ['PDF', 'content']);

  // A name only proposes; bytes of another type refute it.
  const misnamed = typeOf({ name: 'notes.txt', content: '%PDF-1.7' });
  assert.deepEqual([misnamed.type, misnamed.by, misnamed.refuted], ['PDF', 'content', ['Text']]);
});

test('content shows the type where nothing else does', () => {
  const expected: readonly (readonly [content: string, type: string])[] = [
    ['<!DOCTYPE html><p>x', 'HTML'],
    ['\xef\xbb\xbf  <!-- a --> <!-- b -->\n<HTML>', 'HTML'],
    ['<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html>', 'HTML'],
    ['<?xml version="1.0"?><rss version="2.0">', 'Feed'],
    ['<?xml version="1.0"?><svg xmlns="x">', 'Image'],
    ['<?xml version="1.0"?><book>', 'XML'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'Image'],
    ['PK\x03\x04..........................mimetypeapplication/epub+zip', 'EPUB'],
    ['PK\x03\x04\x14\0', 'PCCompressed'],
    [`${'\0'.repeat(257)}ustar`, 'Tar'],
    ['#!/usr/bin/env python3\nprint()', 'Python'],
    ['#!/bin/sh\n', 'ShellScript'],
    ['#!/usr/bin/perl -w\n', 'Perl'],
    ['.\\" comment\n.TH LS 1\n', 'ManPage'],
    ['diff --git a/x b/x\n', 'Patch'],
    ['begin 644 file\n', 'Uuencoded'],
    ['From someone@site.example Mon Jan  1\n', 'Mail'],
    ['\xff\xfeh\0e\0l\0l\0o\0', 'Text'],
    ['<\0h\0t\0m\0l\0>\0', 'HTML'],
    ['plain words', 'Text'],
    ['K\xf6ln liegt am Rhein', 'Text'],
    [`\x01\x02\x03${'\0'.repeat(50)}`, 'Unrecognized'],
    ['', 'Unrecognized'],
  ];
  for (const [content, type] of expected)
    assert.deepEqual({ content, type: typeOf({ name: 'thing', content }).type }, { content, type });
});

test('content-type headers are taken apart without trust', () => {
  assert.deepEqual(parseContentType(' Text/HTML ;x=y; Charset="UTF-8"'), {
    mediaType: 'text/html',
    charset: 'utf-8',
  });
  assert.deepEqual(parseContentType('text/html;charset='), { mediaType: 'text/html' });
  for (const bad of [undefined, '', 'html', 'text/', 'a b/c', 'x'.repeat(100_000)])
    assert.equal(parseContentType(bad), undefined);
});

test('recognition reads a bounded beginning and takes no time over hostile ones', async () => {
  const comments = '<!---->'.repeat(100_000);
  await assertCpuMs(1000, () => {
    typeOf({ name: 'a'.repeat(1_000_000), content: comments, header: `text/html;${';'.repeat(1_000_000)}` });
    typeOf({ content: `<?xml ${'<!--'.repeat(100_000)}`, url: `http://x/${'man1/'.repeat(100_000)}` });
  });
});

test('anything at all has a type', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.option(fc.string(), { nil: undefined }),
      fc.uint8Array(),
      (name, header, bytes) => {
        const { type, mediaType } = recognise({
          url: `http://site.example/${encodeURIComponent(Buffer.from(name).toString())}`,
          name,
          bytes,
          ...(header === undefined ? {} : { contentType: header }),
        });
        assert.ok(typeNames.includes(type));
        assert.match(mediaType, /^[\w.+-]+\/(?:[\w.+-]+|\*)$/);
      },
    ),
  );
});

test('a .doc file of plain text, RTF or HTML has that type; any other is a Word document', () => {
  const named = (text: string) =>
    recognise({ url: 'file:///a/base.doc', name: 'base.doc', bytes: Buffer.from(text, 'latin1') }).type;
  assert.equal(named('This is the documentation of the styles.\n'.repeat(20)), 'Text');
  assert.equal(named('{\\rtf1\\ansi Hello}'), 'RTF');
  assert.equal(named('<!DOCTYPE html><html><title>T</title>'), 'HTML');
  assert.equal(named('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'MSWord');
  assert.equal(named(''), 'MSWord');
});
