import { decodeWords } from 'postal-mime';

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
    return Buffer.from(
      coded
        ? plain.replace(/%([\da-f]{2})/gi, (_, code: string) =>
            String.fromCharCode(Number.parseInt(code, 16)),
          )
        : plain,
      'latin1',
    );
  });
  try {
    return new TextDecoder(charset?.[1] || 'utf-8').decode(Buffer.concat(bytes));
  } catch {
    return Buffer.concat(bytes).toString('latin1');
  }
}

function decodedWords(text: string): string {
  if (text.includes('=?')) return decodeWords(text);
  // A name in bare UTF-8 was read as Latin-1 so far.
  const bytes = Buffer.from(text, 'latin1');
  const utf8 = bytes.toString('utf8');
  return utf8.includes('\ufffd') ? text : utf8;
}
