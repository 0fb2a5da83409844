import { type BibtexSource, bibtexSources } from '../bibliography/index.ts';
import { DistinctPaths, type ExplodedRecord } from './record.ts';

/** The closed entries of a BibTeX file, named by their keys; `entrytype` first, TeX as written. */
export function* bibtexRecords(text: string): Generator<ExplodedRecord> {
  const paths = new DistinctPaths();
  let number = 0;
  for (const source of bibtexSources(text)) {
    if (!source.closed) continue;
    number++;
    const fields = source.fields.map(([name, value]) => [name, value.replace(/\s+/g, ' ').trim()] as const);
    yield {
      path: paths.of(source.key || String(number)),
      type: 'Bibliographic',
      bytes: Buffer.from(printed({ ...source, fields })),
      fields: [['entrytype', source.kind], ...fields],
    };
  }
}

// An entry that is complete without the abbreviations of its file.
function printed({ kind, key, fields }: BibtexSource): string {
  return `@${kind}{${key},\n${fields.map(([name, value]) => `  ${name} = {${value}},\n`).join('')}}\n`;
}
