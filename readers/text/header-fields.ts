import { oneLine } from './clean-text.ts';

/** `Name: value` lines at the head of a text, by lower-case name, and the line after them. */
export interface HeaderFields {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly end: number;
}

const maxFields = 500;
const maxValue = 8 * 1024;

/** Read header fields (RFC 5322 2.2) with their continuations; any other line ends them. */
export function readHeaderFields(lines: readonly string[], from = 0): HeaderFields {
  const fields = new Map<string, string[]>();
  let at = from;
  let count = 0;
  while (at < lines.length && count < maxFields) {
    const parts = /^([A-Za-z][\w.-]{0,63}):(?:\s(.*))?$/.exec((lines[at] ?? '').slice(0, maxValue));
    if (parts === null) break;
    let value = parts[2] ?? '';
    at++;
    for (let line = lines[at]; line !== undefined && /^[ \t]+\S/.test(line.slice(0, 200)); line = lines[++at])
      if (value.length < maxValue) value += ` ${line.slice(0, maxValue)}`;
    const name = (parts[1] ?? '').toLowerCase();
    const list = fields.get(name);
    if (list === undefined) fields.set(name, [oneLine(value)]);
    else list.push(oneLine(value));
    count++;
  }
  return { fields, end: at };
}
