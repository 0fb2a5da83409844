/** Possible delimiters of a table in a text file; among equals the first is used: 1;2,5. */
const delimiters = ['\t', ';', '|', ','] as const;

const sniffedLines = 50;
const maxField = 1024 * 1024;
const maxFields = 10_000;

// Excel writes a line that names the delimiter.
const separatorLine = /^\ufeff?sep=(.)\r?\n/i;

/** The sign that a line `sep=` at the beginning names, else the one that splits most of the first lines into equally many fields; undefined when no sign does. */
export function sniffDelimiter(text: string): string | undefined {
  const named = separatorLine.exec(text)?.[1];
  if (named !== undefined) return named;
  let best: { readonly delimiter: string; readonly score: number } | undefined;
  for (const delimiter of delimiters) {
    const counts: number[] = [];
    for (const row of delimitedRows(text.slice(0, 64 * 1024), delimiter)) {
      if (row.length > 1 || row[0] !== '') counts.push(row.length);
      if (counts.length >= sniffedLines) break;
    }
    const common = mostCommon(counts);
    if (common < 2) continue;
    const agreeing = counts.filter((count) => count === common).length / counts.length;
    // Of two that agree equally the one with more columns is the delimiter.
    const score = agreeing * 100 + Math.min(common, 50) / 50;
    if (agreeing >= 0.6 && score > (best?.score ?? 0)) best = { delimiter, score };
  }
  return best?.delimiter;
}

function mostCommon(numbers: readonly number[]): number {
  const tally = new Map<number, number>();
  for (const number of numbers) tally.set(number, (tally.get(number) ?? 0) + 1);
  return [...tally].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/**
 * The rows of delimited text (RFC 4180); excessive sizes are cut. A quotation mark without a partner before a delimiter
 * or a line end is text of its own line, so that the rows after it are not lost.
 */
export function* delimitedRows(text: string, delimiter: string): Generator<string[]> {
  const sign = delimiter.charCodeAt(0);
  let row: string[] = [];
  // Before this offset a quoted field ends on its own line, because a search over several lines failed.
  let oneLined = 0;
  let at = separatorLine.exec(text)?.[0].length ?? (text.charCodeAt(0) === 0xfeff ? 1 : 0);
  while (at < text.length) {
    let field: string;
    const isQuoted = text.charCodeAt(at) === 34;
    const quoted = isQuoted ? quotedField(text, at + 1, sign, at < oneLined) : undefined;
    if (typeof quoted === 'object') {
      field = quoted.text;
      at = quoted.end;
      // Text after a closing quote belongs to the field.
      const rest = fieldEnd(text, at, sign);
      field += text.slice(at, Math.min(rest, at + maxField)).trim();
      at = rest;
    } else {
      oneLined = Math.max(oneLined, quoted ?? 0);
      const end = fieldEnd(text, at, sign);
      field = text.slice(at, Math.min(end, at + maxField));
      at = end;
    }
    if (row.length < maxFields) row.push(field);
    if (text.charCodeAt(at) === sign) {
      at++;
      if (at < text.length) continue;
      row.push('');
    } else at += text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? 2 : 1;
    yield row;
    row = [];
  }
  if (row.length > 0) yield row;
}

function fieldEnd(text: string, start: number, sign: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === sign || code === 10 || code === 13) break;
  }
  return at;
}

/** A quoted field, or the offset of the end of the search when its mark closes nothing. */
function quotedField(
  text: string,
  start: number,
  sign: number,
  oneLine: boolean,
): { readonly text: string; readonly end: number } | number {
  const limit = oneLine ? lineEnd(text, start) : Math.min(text.length, start + maxField);
  let value = '';
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0 || quote >= limit) return limit;
    value += text.slice(from, quote);
    const next = text.charCodeAt(quote + 1);
    if (next !== 34) {
      const ends = Number.isNaN(next) || next === sign || next === 10 || next === 13;
      return ends || lineEnd(text, start) > quote ? { text: value, end: quote + 1 } : quote;
    }
    value += '"';
    from = quote + 2;
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}
