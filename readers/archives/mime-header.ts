import { decodeWords } from 'postal-mime';
import { unescapedBytes } from '../bytes/index.ts';
import { decodeMail } from '../charsets/index.ts';

const maxParameters = 64;

/** The value and the parameters of a header field: `text/plain; charset=utf-8`. */
export interface HeaderValue {
  /** Before the first semicolon, in lower case. */
  readonly value: string;
  /** By name in lower case; parts of one value (RFC 2231) are joined, encoded words decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** The fields of a header block that describe a part; of several with one name the first is used. */
export function partHeader(block: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const unfolded = block.replace(/\r?\n[ \t]+/g, ' ');
  for (const line of unfolded.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon <= 0 || colon > 40) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    if (name.startsWith('content-') && !fields.has(name))
      fields.set(name, line.slice(colon + 1, colon + 4000));
  }
  return fields;
}

/** Split a field's value. */
export function headerValue(field: string): HeaderValue {
  const [value = ''] = field.split(';', 1);
  const parameters = new Map<string, string>();
  const pieces = new Map<
    string,
    { readonly order: number; readonly text: string; readonly coded: boolean }[]
  >();
  const pattern = /;\s*([^=;\s"]{1,40})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;
  pattern.lastIndex = value.length;
  for (let count = 0; count < maxParameters; count++) {
    const found = pattern.exec(field);
    if (found === null) break;
    const text = found[2]?.replace(/\\(.)/g, '$1') ?? found[3] ?? '';
    const [, name = '', order, coded] =
      /^([^*]*)(?:\*(\d{1,2}))?(\*)?$/.exec((found[1] ?? '').toLowerCase()) ?? [];
    if (name === '') continue;
    if (order === undefined && coded === undefined) parameters.set(name, decodedWords(text));
    else {
      const piece = { order: Number(order ?? 0), text, coded: coded !== undefined };
      pieces.set(name, [...(pieces.get(name) ?? []), piece]);
    }
  }
  for (const [name, parts] of pieces) parameters.set(name, joined(parts));
  return { value: value.trim().toLowerCase(), parameters };
}

// Parts in their order; the first encoded part begins with its charset and language.
function joined(
  parts: readonly { readonly order: number; readonly text: string; readonly coded: boolean }[],
): string {
  const sorted = parts.toSorted((one, other) => one.order - other.order);
  const charset = sorted[0]?.coded === true ? /^([^']{0,40})'[^']{0,20}'/.exec(sorted[0].text) : null;
  const bytes = sorted.map(({ text, coded }, index) => {
    const plain = index === 0 && charset !== null ? text.slice(charset[0].length) : text;
    return Buffer.from(coded ? unescapedBytes(plain, '%') : plain, 'latin1');
  });
  return decodeMail(Buffer.concat(bytes), charset?.[1] || undefined);
}

function decodedWords(text: string): string {
  if (text.includes('=?')) return decodeWords(utf8Words(text));
  // A bare name was read as Latin-1 so far.
  return decodeMail(Buffer.from(text, 'latin1'));
}

const encodedWords =
  /=\?([^?\s]{1,60})\?([bq])\?([^?\r\n]{0,4000})\?=(?:\s+=\?\1\?[bq]\?[^?\r\n]{0,4000}\?=)*/gi;

/** A header's text with its encoded words (RFC 2047) in UTF-8; words side by side may share a character. */
export function utf8Words(text: string): string {
  return text.replace(encodedWords, (run: string, charset: string) => {
    const bytes = [...run.matchAll(/\?([bq])\?([^?\r\n]*)\?=/gi)].map(([, kind = '', word = '']) =>
      /b/i.test(kind)
        ? Buffer.from(word, 'base64')
        : Buffer.from(unescapedBytes(word.replaceAll('_', ' '), '='), 'latin1'),
    );
    const decoded = decodeMail(Buffer.concat(bytes), charset.split('*')[0]);
    return `=?utf-8?B?${Buffer.from(decoded).toString('base64')}?=`;
  });
}
