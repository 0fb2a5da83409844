/** Max values of one key. */
const maxValues = 64;

const pair = /^(\s*)(?:"([^"]{1,64})"|'([^']{1,64})'|([A-Za-z][\w -]{0,63}?))\s*:(?:\s+(.*))?$/;

/**
 * The fields of YAML at the head of a text, by lower-case key: single values, folded and literal blocks, values that
 * go on in indented lines, lists of both forms. Of a person given by several keys the `name` counts. Other lines are
 * skipped, so that one that YAML forbids loses nothing else.
 */
export function readYamlFields(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (let at = 0; at < lines.length; at++) {
    const [, indent, double, single, bare, written = ''] = pair.exec(lines[at] ?? '') ?? [];
    if (indent !== '') continue;
    const key = (double ?? single ?? bare ?? '').toLowerCase();
    const below: string[] = [];
    // A list may begin at the margin.
    while (at + 1 < lines.length && /^(?:\s|- |-$|$)/.test(lines[at + 1] ?? ''))
      below.push(lines[++at] ?? '');
    if (!fields.has(key)) fields.set(key, valuesOf(withoutComment(written), below).slice(0, maxValues));
  }
  return fields;
}

function valuesOf(written: string, below: readonly string[]): string[] {
  if (/^[|>][\d+-]{0,2}$/.test(written)) return [block(below, written.startsWith('|'))];
  const inside = below.map(withoutComment).filter((line) => line.trim() !== '');
  if (written === '' && /^\s*-(?:\s|$)/.test(inside[0] ?? '')) return listItems(inside);
  if (written === '' && pair.test(inside[0] ?? '')) return named(inside);
  // A value may go on in the lines below.
  const whole = [written, ...inside.map((line) => line.trim())].join(' ').trim();
  if (whole.startsWith('[') && whole.endsWith(']'))
    return flowParts(whole.slice(1, -1)).flatMap((part) => valuesOf(part, []));
  if (whole.startsWith('{') && whole.endsWith('}')) return named(flowParts(whole.slice(1, -1)));
  const value = scalar(whole.replace(/^(?:[!&][\w!:-]*\s+)/, ''));
  return value === '' || /^[*!&]\w*$/.test(value) || /^(?:~|null)$/i.test(whole) ? [] : [value];
}

/** A folded block's line ends are spaces, but for empty lines; a literal block's stay. */
function block(lines: readonly string[], literal: boolean): string {
  const text = lines.map((line) => line.trim()).join('\n');
  return (literal ? text : text.replace(/(?<!\n)\n(?!\n)/g, ' ')).trim();
}

function listItems(lines: readonly string[]): string[] {
  const items: string[][] = [];
  for (const line of lines) {
    const item = /^\s*-(?:\s+(.*))?$/.exec(line);
    if (item !== null) items.push([item[1] ?? '']);
    else items.at(-1)?.push(line.trim());
  }
  return items.flatMap((item) =>
    pair.test(item[0] ?? '') && !/^["'][^:]*$/.test(item[0] ?? '')
      ? named(item)
      : valuesOf(item[0] ?? '', item.slice(1)),
  );
}

/** The `name` among pairs of keys and values, as one value. */
function named(pairs: readonly string[]): string[] {
  for (const line of pairs) {
    const [, , double, single, bare, value = ''] = pair.exec(line) ?? [];
    if (/^(?:name|literal|title)$/i.test(double ?? single ?? bare ?? '')) return valuesOf(value, []);
  }
  return [];
}

/** Parts between commas that are not within quotation marks or brackets. */
export function flowParts(text: string): string[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\{[^}]*\}|\[[^\]]*\]|[^,])+/g) ?? [];
  return parts
    .slice(0, maxValues)
    .map((part) => part.trim())
    .filter(Boolean);
}

function withoutComment(written: string): string {
  return /^\s*["'#]/.test(written)
    ? written.replace(/^\s*#.*$/, '').replace(/^(\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'))\s+#.*$/, '$1')
    : written.replace(/\s#.*$/, '').trimEnd();
}

function scalar(text: string): string {
  const quote = text.charAt(0);
  const quoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  if (quoted && quote === '"') return unescaped(text.slice(1, -1));
  return quoted ? text.slice(1, -1).replaceAll("''", "'") : text;
}

const escapes = /\\(?:u([\da-fA-F]{4})|U(00[\da-fA-F]{6})|x([\da-fA-F]{2})|\n\s*|([\s\S]))/g;

/** A text without the escapes of YAML's double quotation marks and of TOML. */
export function unescaped(text: string): string {
  return text.replace(escapes, (_, short?: string, long?: string, byte?: string, sign = '') => {
    const code = short ?? long ?? byte;
    if (code === undefined) return sign === 'n' || sign === 't' ? ' ' : sign;
    return Number.parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(Number.parseInt(code, 16)) : '';
  });
}
