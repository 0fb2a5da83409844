/** Possible delimiters of a table in a text file; among equals the first is used: 1;2,5. */
const delimiters = ['\t', ';', '|', ','] as const;

const sniffedLines = 50;
const maxField = 64 * 1024;
const maxFields = 10_000;

/** The sign that splits most of the first lines into equally many fields; undefined when no sign does. */
export function sniffDelimiter(text: string): string | undefined {
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

/** The rows of delimited text (RFC 4180); an unclosed quote ends with the text, excessive sizes are cut. */
export function* delimitedRows(text: string, delimiter: string): Generator<string[]> {
  const sign = delimiter.charCodeAt(0);
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    let field: string;
    if (text.charCodeAt(at) === 34) {
      const quoted = quotedField(text, at + 1);
      field = quoted.text;
      at = quoted.end;
      // Text after a closing quote belongs to the field.
      const rest = fieldEnd(text, at, sign);
      field += text.slice(at, Math.min(rest, at + maxField)).trim();
      at = rest;
    } else {
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

function quotedField(text: string, start: number): { readonly text: string; readonly end: number } {
  let value = '';
  let from = start;
  for (;;) {
    const quote = text.indexOf('"', from);
    const end = quote < 0 ? text.length : quote;
    if (value.length < maxField) value += text.slice(from, Math.min(end, from + maxField));
    if (quote < 0 || text.charCodeAt(quote + 1) !== 34)
      return { text: value, end: Math.min(end + 1, text.length) };
    if (value.length < maxField) value += '"';
    from = quote + 2;
  }
}
