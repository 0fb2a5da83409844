import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullText, lacking, testDocument, valuesOf } from '../../testing/made-by-tools.ts';
import { byLibreOffice, libreOfficeWhole } from '../../testing/office-samples.ts';
import { summariseMsOffice } from './ms-office.ts';
import { summariseOpenDocument } from './open-document.ts';

const ruby = (base: string, reading: string) =>
  `<text:ruby><text:ruby-base>${base}</text:ruby-base><text:ruby-text>${reading}</text:ruby-text></text:ruby>`;
const flat = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.3"
  office:mimetype="application/vnd.oasis.opendocument.text" xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>${ruby('季', 'き')}${ruby(
    '節',
    'せつ',
  )}の風</text:p></office:text></office:body></office:document>`);

test('readings of ruby annotations in office documents do not part the words', async (t) => {
  assert.equal(
    valuesOf(await summariseOpenDocument(testDocument(flat), fullText)).get('Full-Text'),
    '季節の風',
  );
  const absent = lacking('soffice') || libreOfficeWhole;
  if (absent !== false) return t.skip(absent);
  const docx = byLibreOffice(flat, 'fodt', 'docx');
  assert.equal(valuesOf(await summariseMsOffice(testDocument(docx), fullText)).get('Full-Text'), '季節の風');
});
