import { DistinctPaths, type ExplodedRecord } from './record.ts';

// Two letters, two spaces, a dash; some exporters drop one of the spaces.
const tagLine = /^\s{0,3}([A-Z][A-Z0-9])\s{1,3}-\s?(.*)$/;

/** The records of a RIS file, each named by its ID, accession number or place, with tags in lower case. */
export function* risRecords(written: string): Generator<ExplodedRecord> {
  // Files of classic Mac OS end lines with CR alone.
  const text = written.includes('\n') ? written : written.replaceAll('\r', '\n');
  const paths = new DistinctPaths();
  let number = 0;
  let fields: [string, string][] = [];
  let start = -1;
  for (const { line, at } of linesOf(text)) {
    const found = line.length > 100_000 ? null : tagLine.exec(line);
    const tag = found?.[1];
    if (tag === 'TY') {
      if (start >= 0) yield recordOf(text.slice(start, at));
      start = at;
      fields = [];
    }
    if (start < 0) continue;
    if (tag === 'ER') {
      yield recordOf(text.slice(start, at + line.length));
      start = -1;
      continue;
    }
    const last = fields.at(-1);
    if (tag !== undefined) fields.push([tag.toLowerCase(), (found?.[2] ?? '').trim()]);
    else if (last !== undefined && line.trim() !== '') last[1] = `${last[1]} ${line.trim()}`;
  }
  // A last record whose end was cut off counts.
  if (start >= 0 && fields.length > 1) yield recordOf(text.slice(start));

  function recordOf(source: string): ExplodedRecord {
    number++;
    const kept = fields.filter(([, value]) => value !== '');
    const id = kept.find(([name]) => name === 'id')?.[1] ?? kept.find(([name]) => name === 'an')?.[1];
    fields = [];
    return {
      path: paths.of(id ?? String(number)),
      type: 'Bibliographic',
      bytes: Buffer.from(source),
      fields: kept,
    };
  }
}

function* linesOf(text: string): Generator<{ line: string; at: number }> {
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    yield { line: text.slice(at, end).replace(/\r$/, ''), at };
    at = end + 1;
  }
}
