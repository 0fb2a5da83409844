/** A message's fields as received: name, value, name, value, ... in order; every string is latin1. */
export type RawFields = readonly string[];

const none: readonly string[] = [];

/**
 * A message's fields, looked up by name in lower case. The first eight lookups scan the list; from the ninth
 * on an index answers. So a hit builds no index, and a long evaluation does not scan repeatedly.
 */
export class Fields {
  readonly raw: RawFields;
  #lookups = 0;
  #index: Map<string, string[]> | undefined;

  constructor(raw: RawFields) {
    this.raw = raw;
  }

  /** Whether the field is there, even if empty. */
  has(lowerName: string): boolean {
    return this.lines(lowerName).length > 0;
  }

  /** The values of every line of this name, in order, without white space around them. */
  lines(lowerName: string): readonly string[] {
    if (this.#index === undefined && ++this.#lookups > 8) this.#index = indexOf(this.raw);
    return this.#index === undefined ? walk(this.raw, lowerName) : (this.#index.get(lowerName) ?? none);
  }

  /** All lines as one value, joined as a list (RFC 9110 5.3); undefined when the field is absent. */
  get(lowerName: string): string | undefined {
    const lines = this.lines(lowerName);
    return lines.length > 1 ? lines.join(', ') : lines[0];
  }
}

function walk(raw: RawFields, lowerName: string): readonly string[] {
  let found: string[] | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!isNamed(raw[at] ?? '', lowerName)) continue;
    const value = trimmed(raw[at + 1] ?? '');
    if (found === undefined) found = [value];
    else found.push(value);
  }
  return found ?? none;
}

function indexOf(raw: RawFields): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = trimmed(raw[at + 1] ?? '');
    const lines = index.get(name);
    if (lines === undefined) index.set(name, [value]);
    else lines.push(value);
  }
  return index;
}

function isNamed(name: string, lowerName: string): boolean {
  return name.length === lowerName.length && (name === lowerName || name.toLowerCase() === lowerName);
}

/** A text without white space around it (RFC 9110 5.6.3); trim() would remove no-break spaces too. */
export function trimmed(value: string): string {
  let first = 0;
  let end = value.length;
  while (first < end && isBlank(value.charCodeAt(first))) first += 1;
  while (end > first && isBlank(value.charCodeAt(end - 1))) end -= 1;
  return end - first === value.length ? value : value.slice(first, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** The fields without those named, the others in their order. Returns the same list when none is there. */
export function withoutFields(raw: RawFields, lowerNames: ReadonlySet<string>): RawFields {
  let kept: string[] | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const out = lowerNames.has(name) || lowerNames.has(name.toLowerCase());
    if (out) kept ??= raw.slice(0, at);
    else kept?.push(name, raw[at + 1] ?? '');
  }
  return kept ?? raw;
}

/** The fields with one line of this name at the end, in place of all earlier ones. */
export function withField(raw: RawFields, name: string, value: string): RawFields {
  const lowerName = name.toLowerCase();
  const fields: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (!isNamed(raw[at] ?? '', lowerName)) fields.push(raw[at] ?? '', raw[at + 1] ?? '');
  fields.push(name, value);
  return fields;
}
