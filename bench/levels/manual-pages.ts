import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { summariserOf } from '../../gatherer/index.ts';
import { type Language, languageOfObject, languages } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';

/** A manual page without the line that describes it. */
export interface ManualPage {
  readonly name: string;
  readonly about: string;
  readonly text: string;
}

const bounds = { maxTextBytes: 4 * 1024 * 1024, maxDocumentBytes: 4 * 1024 * 1024 };

/** In the first lines: `name, other - what it does`. */
const headLines = 4;
const aboutLine = /^.{1,200}?\s[-\u2010-\u2015\u2212]{1,2}\s+(\S.*)$/;

const namesIn = (folder: string) => readdir(folder).catch((): string[] => []);

/**
 * The pages below a folder of manual pages in one language, such as /usr/share/man/de, whose text is in that language
 * and that have a line with a description; each name once. Unreadable pages are left out.
 */
async function manualPages(folder: string, language: Language): Promise<readonly ManualPage[]> {
  const summarise = await summariserOf('ManPage')?.load();
  if (summarise === undefined) throw new TypeError('no summariser for manual pages');
  const pages = new Map<string, ManualPage>();
  for (const section of (await namesIn(folder)).filter((name) => /^man\d$/.test(name)).sort())
    for (const file of (await namesIn(join(folder, section))).sort()) {
      const packed = await readFile(join(folder, section, file));
      const bytes = file.endsWith('.gz') ? gunzipSync(packed) : packed;
      const name = file.replace(/\.gz$/, '');
      const document = { url: `http://manual.example.org/${name}`, name, bytes };
      const { text } = await summarise(
        { ...document, type: 'ManPage', mediaType: 'text/troff' },
        { ...bounds, text: 'full' },
      );
      const lines = (text?.blocks ?? []).flatMap((block) => block.text.split('\n'));
      const at = lines.slice(0, headLines).findIndex((line) => aboutLine.test(line));
      const about = aboutLine.exec(lines[at] ?? '')?.[1];
      const rest = lines.slice(at + 1).join('\n');
      const known = summaryObject(document.url, [['Full-Text', rest]]);
      if (about !== undefined && languageOfObject(known, otherThan(language)) === language)
        pages.set(name, { name, about, text: rest });
    }
  return [...pages.values()];
}

const otherThan = (language: Language): Language => (language === 'en' ? 'ko' : 'en');

/** This machine's manual pages in folders named by a language, by language. */
export async function manualPagesByLanguage(
  root: string,
): Promise<ReadonlyMap<Language, readonly ManualPage[]>> {
  const found = new Map<Language, readonly ManualPage[]>();
  for (const name of (await namesIn(root)).sort()) {
    const language = languages.find((one) => one === name);
    if (language !== undefined) found.set(language, await manualPages(join(root, name), language));
  }
  return found;
}
