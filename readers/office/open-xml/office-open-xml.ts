import type { Extract, Field, RecognisedDocument, SummariseOptions } from '../../document/index.ts';
import { decodeText, joined, StructuredText } from '../../text/index.ts';
import { localName } from '../../xml/index.ts';
import { embeddedNames } from './embedded.ts';
import { OfficePackage, readProperties } from './package.ts';
import { readPresentation } from './presentation.ts';
import { readSpreadsheet } from './spreadsheet.ts';
import { readWord } from './word.ts';

/** Word, Excel and PowerPoint since 2007: properties, headings, text, tables, sheets, slides and notes. */
export async function summariseOfficeOpenXml(
  document: RecognisedDocument,
  options: SummariseOptions,
): Promise<Extract> {
  const text = new StructuredText(options);
  const office = await OfficePackage.open(document.bytes, text.notes);
  const main = (await office.main()) ?? '';
  const properties = await readProperties(office);
  text.title = properties.title;
  const counts = await readMain(office, main, text);
  const embedded = (await embeddedNames(office.parts)).map((name) => name.slice(name.lastIndexOf('/') + 1));
  return text.extract(document, [...properties.fields, ...counts, joined('Attachments', embedded)]);
}

async function readMain(
  office: OfficePackage,
  main: string,
  text: StructuredText,
): Promise<readonly Field[]> {
  const root = await rootOf(office, main);
  if (root === 'workbook') return await readSpreadsheet(office, main, text);
  if (root === 'presentation') return await readPresentation(office, main, text);
  if (main === '') text.notes.push('The package names no document.');
  else await readWord(office, main, text);
  return [];
}

/** The root element of a part, which shows the kind of document; folders may have any name. */
async function rootOf(office: OfficePackage, part: string): Promise<string | undefined> {
  const start = (await office.part(part)).subarray(0, 4096);
  const [, name] = /<([A-Za-z][\w.:-]*)/.exec(decodeText(start)) ?? [];
  return name === undefined ? undefined : localName(name);
}
