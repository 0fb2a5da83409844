const maxLines = 5000;
const maxLine = 2000;
const maxJoined = 200;
const maxStrings = 64;

/** The first value of each `Name: value` line at the margin, by name in lower case; indented lines continue it. */
export function fieldLines(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let last: string | undefined;
  for (const full of text.split('\n', maxLines)) {
    const line = full.slice(0, maxLine);
    const [, name, value] = /^([A-Za-z][\w-]{0,63})[ \t]{0,40}:(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) {
      const key = name.toLowerCase();
      last = values.has(key) ? undefined : key;
      if (last !== undefined) values.set(last, value.trim());
    } else if (last !== undefined && /^[ \t]+\S/.test(line)) {
      const before = values.get(last) ?? '';
      if (before.length < maxLine) values.set(last, `${before} ${line.trim()}`.trim());
    } else last = undefined;
  }
  return values;
}

/** The values of the named sections of a TOML or INI file as written, by key in lower case. */
export function sectionValues(text: string, sections: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const lines = text.split('\n', maxLines).map((line) => line.slice(0, maxLine));
  let wanted = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const section = /^\s{0,20}\[{1,2}([^\]]{1,200})\]/.exec(line)?.[1];
    if (section !== undefined) wanted = sections.includes(section.trim().toLowerCase());
    if (!wanted || section !== undefined) continue;
    const [, key, written] = /^([A-Za-z][\w.-]{0,63})\s{0,40}[=:](.*)$/.exec(line) ?? [];
    if (key === undefined || written === undefined) continue;
    let value = written.trim();
    const marks = /^("{3}|'{3})/.exec(value)?.[1];
    if (marks !== undefined) {
      const [start, inside] = [at, [value.slice(3)]];
      while (!inside.at(-1)?.includes(marks) && at - start < maxJoined && at + 1 < lines.length)
        inside.push(lines[++at] ?? '');
      const [whole = ''] = inside.join('\n').split(marks);
      values.set(key.toLowerCase(), values.get(key.toLowerCase()) ?? whole.trim());
      continue;
    }
    const open = /^\[[^\]]*$/.test(value);
    for (let joined = 0; joined < maxJoined && at + 1 < lines.length; joined++) {
      const next = lines[at + 1] ?? '';
      if (open ? value.includes(']') : !/^[ \t]+\S/.test(next)) break;
      value += `\n${next.trim()}`;
      at++;
    }
    if (!values.has(key.toLowerCase())) values.set(key.toLowerCase(), value);
  }
  return values;
}

/** The value assigned to a name in a program: a string or a list of strings as written, or undefined. */
export function assigned(text: string, name: string): string | undefined {
  return new RegExp(
    `(?:^|[\\s,({.])['"]?${name}['"]?\\s{0,40}=>?\\s{0,40}(\\[[^\\]]{0,2000}\\]|"[^"\\n]{0,500}"|'[^'\\n]{0,500}')`,
    'im',
  ).exec(text)?.[1];
}

/** The strings of a written value: of tables those named `name` or `text`; an unquoted value is one string. */
export function quoted(written: string): readonly string[] {
  const value = written.slice(0, maxLine * 10);
  const strings = /"((?:[^"\\\n]|\\.){0,500})"|'([^'\n]{0,500})'/g;
  const named = /\b(?:name|text)\s{0,20}=\s{0,20}(?:"([^"\n]{0,500})"|'([^'\n]{0,500})')/g;
  const found = [...value.matchAll(/^[\s[]{0,40}\{/.test(value) ? named : strings)].slice(0, maxStrings);
  if (found.length > 0) return found.map(([, double, single]) => double ?? single ?? '');
  return value === '' || /^[[{]|^(?:attr|file):|^(?:true|false)$/.test(value) ? [] : [value];
}
