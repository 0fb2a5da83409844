import { flowParts, unescaped } from './front-matter-yaml.ts';

const maxValueLines = 200;

/**
 * The fields of TOML at the head of a text, by lower-case key without the names of tables: strings of all four forms,
 * numbers, dates, and lists, also over several lines. Other lines are skipped.
 */
export function readTomlFields(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  let table = '';
  for (let at = 0; at < lines.length; at++) {
    table = /^\s*\[\[?([\w.-]{1,80})\]\]?\s*(?:#.*)?$/.exec(lines[at] ?? '')?.[1] ?? table;
    const [, key, first = ''] = /^\s*([\w."'-]{1,80})\s*=\s*(.*)$/.exec(lines[at] ?? '') ?? [];
    if (key === undefined) continue;
    let value = first.trim();
    for (let more = 0; isOpen(value) && more < maxValueLines && at + 1 < lines.length; more++)
      value += `\n${lines[++at] ?? ''}`;
    const plain = (key.split('.').at(-1) ?? '').replace(/["']/g, '').toLowerCase();
    // `[author]` with a name is a person.
    const name = plain === 'name' && /^authors?$/i.test(table) ? table.toLowerCase() : plain;
    if (!fields.has(name)) fields.set(name, valuesOf(value));
  }
  return fields;
}

/** Whether a list or a string of several lines has no end yet. */
function isOpen(value: string): boolean {
  const marks = value.slice(0, 3);
  if (marks === '"""' || marks === "'''") return value.indexOf(marks, 3) < 0;
  return value.startsWith('[') && !/\]\s*(?:#[^\n]*)?$/.test(value);
}

function valuesOf(value: string): string[] {
  const marks = value.slice(0, 3);
  if (marks === '"""' || marks === "'''") {
    const end = value.indexOf(marks, 3);
    const text = value.slice(3, end < 0 ? value.length : end).trim();
    return [marks === '"""' ? unescaped(text) : text];
  }
  if (value.startsWith('[')) {
    const inside = value.replace(/(?:^|\s)#[^"'\n]*$/gm, '').replace(/\]\s*(?:#[^\n]*)?$/, '');
    return flowParts(inside.slice(1)).flatMap(valuesOf);
  }
  if (value.startsWith('{')) {
    const name = /\bname\s*=\s*("(?:[^"\\]|\\.)*"|'[^']*')/.exec(value)?.[1];
    return name === undefined ? [] : valuesOf(name);
  }
  const basic = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (basic !== undefined) return [unescaped(basic)];
  const plain = /^'([^']*)'/.exec(value)?.[1] ?? value.replace(/\s*#.*$/s, '').trim();
  return plain === '' ? [] : [plain];
}
