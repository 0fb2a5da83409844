import { texWords } from '../tex/index.ts';
import { beginning, oneLine } from '../text/index.ts';
import { type BibliographicEntry, readableName } from './bibliographic-entry.ts';
import { type BibtexSource, bibtexSources } from './bibtex-source.ts';

const maxFields = 200;
const maxValue = 64 * 1024;
const maxString = 1000;
const maxNames = 500;

/**
 * The entries of a BibTeX file, one at a time: abbreviations are expanded, TeX's accents become characters, names
 * become `Given Family`. An entry that is not closed has the fields before the fault, and is left out without fields.
 */
export function* bibtexEntries(text: string): Generator<BibliographicEntry> {
  for (const source of bibtexSources(text, maxString)) {
    const fields = source.fields.slice(0, maxFields).flatMap(readable);
    if (fields.length > 0) yield { kind: source.kind, key: source.key, fields };
  }
}

function readable([name, source]: BibtexSource['fields'][number]): (readonly [string, string])[] {
  const value = beginning(source, maxValue);
  if (name === 'author' || name === 'editor')
    return oneLine(value)
      .split(/ and /i, maxNames)
      .map((each) => [name, readableName(texWords(each))] as const);
  if (name === 'keywords' || name === 'keyword')
    return oneLine(value)
      .split(/ ?[,;] ?/, maxNames)
      .map((each) => ['keywords', oneLine(texWords(each))] as const);
  return [[name, oneLine(name === 'url' || name === 'doi' ? value : texWords(value))]];
}
