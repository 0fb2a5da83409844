import { beginning, oneLine } from '../text/index.ts';
import { type BibliographicEntry, readableName } from './bibliographic-entry.ts';

const maxFields = 1000;
const maxValue = 64 * 1024;

// RIS's tags in BibTeX's names (the RIS format specification of Research Information Systems).
const risNames: Readonly<Record<string, string>> = {
  TI: 'title',
  T1: 'title',
  CT: 'title',
  AU: 'author',
  A1: 'author',
  A2: 'editor',
  A3: 'editor',
  ED: 'editor',
  PY: 'year',
  Y1: 'year',
  DA: 'date',
  JO: 'journal',
  JF: 'journal',
  JA: 'journal',
  J2: 'journal',
  T2: 'journal',
  BT: 'booktitle',
  VL: 'volume',
  IS: 'number',
  SP: 'pages',
  PB: 'publisher',
  CY: 'address',
  ET: 'edition',
  SN: 'issn',
  DO: 'doi',
  UR: 'url',
  L1: 'url',
  LA: 'language',
  AB: 'abstract',
  N2: 'abstract',
  N1: 'note',
  KW: 'keywords',
  AD: 'institution',
  ID: 'key',
};

/** The records of an RIS file, one at a time; a record begins with `TY` and ends with `ER` or the next `TY`. */
export function* risEntries(text: string): Generator<BibliographicEntry> {
  let fields: [string, string][] | undefined;
  let kind = '';
  const finished = (): BibliographicEntry => ({
    kind,
    key: fields?.find(([name]) => name === 'key')?.[1] ?? '',
    fields: (fields ?? []).filter(([name]) => name !== 'key'),
  });
  for (const line of linesOf(text)) {
    const parts = /^\s{0,4}([A-Z][A-Z0-9]) {0,2}- ?(.*)$/.exec(line);
    if (parts === null) {
      const last = fields?.at(-1);
      if (last !== undefined && line.trim() !== '')
        last[1] = oneLine(beginning(`${last[1]} ${line}`, maxValue));
      continue;
    }
    const [, tag = '', value = ''] = parts;
    if (tag === 'TY' || tag === 'ER') {
      if (fields !== undefined && fields.length > 0) yield finished();
      fields = tag === 'TY' ? [] : undefined;
      kind = oneLine(value).toLowerCase();
      continue;
    }
    const name = risNames[tag];
    if (fields === undefined || name === undefined || fields.length >= maxFields) {
      const pages = tag === 'EP' ? fields?.find(([known]) => known === 'pages') : undefined;
      if (pages !== undefined && !pages[1].includes('–')) pages[1] += `–${oneLine(value)}`;
      continue;
    }
    const clean = oneLine(beginning(value, maxValue));
    if (clean !== '')
      fields.push([name, name === 'author' || name === 'editor' ? readableName(clean) : clean]);
  }
  if (fields !== undefined && fields.length > 0) yield finished();
}

// refer's letters in BibTeX's names (refer(1)).
const referNames: Readonly<Record<string, string>> = {
  A: 'author',
  B: 'booktitle',
  C: 'address',
  D: 'year',
  E: 'editor',
  G: 'number',
  I: 'publisher',
  J: 'journal',
  K: 'keywords',
  L: 'key',
  N: 'number',
  O: 'note',
  P: 'pages',
  R: 'number',
  S: 'series',
  T: 'title',
  V: 'volume',
  X: 'abstract',
  U: 'url',
  '@': 'isbn',
};

/** The records of a refer database, one at a time; blank lines divide them. */
export function* referEntries(text: string): Generator<BibliographicEntry> {
  let fields: [string, string][] = [];
  const finished = (): BibliographicEntry => ({
    kind: '',
    key: fields.find(([name]) => name === 'key')?.[1] ?? '',
    fields: fields.filter(([name]) => name !== 'key'),
  });
  for (const line of linesOf(text)) {
    if (line.trim() === '') {
      if (fields.length > 0) yield finished();
      fields = [];
      continue;
    }
    const parts = /^%([A-Z0-9@^])\s+(.*)$/.exec(line);
    const name = referNames[parts?.[1] ?? ''];
    const last = fields.at(-1);
    if (name !== undefined && fields.length < maxFields) {
      const value = oneLine(beginning(parts?.[2] ?? '', maxValue));
      if (name === 'keywords')
        fields.push(
          ...oneLine(value)
            .split(/ ?[,;] ?/, 100)
            .map((word): [string, string] => [name, word]),
        );
      else fields.push([name, name === 'author' || name === 'editor' ? readableName(value) : value]);
    } else if (parts === null && last !== undefined)
      last[1] = oneLine(beginning(`${last[1]} ${line}`, maxValue));
  }
  if (fields.length > 0) yield finished();
}

function* linesOf(written: string): Generator<string> {
  // Files of classic Mac OS end lines with CR alone.
  const text = written.includes('\n') ? written : written.replaceAll('\r', '\n');
  let from = 0;
  while (from < text.length) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, text.charAt(to - 1) === '\r' && to > from ? to - 1 : to).replace(/^\ufeff/, '');
    from = to + 1;
  }
}
