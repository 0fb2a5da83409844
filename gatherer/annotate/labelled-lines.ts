/** A `Name: value` line with its continuation lines, or a stray line. */
export type LabelledLine =
  | { readonly line: number; readonly name: string; readonly value: string }
  | { readonly line: number; readonly stray: string };

const label = /^(?:([A-Za-z][A-Za-z0-9_.<>-]{0,127})|"([^"]{1,128})")[ \t]*:(.*)$/;
const bareName = /^[A-Za-z][A-Za-z0-9_.<>-]*$/;

/** The lines of a text, with any line ends, numbered from 1. */
export function numberedLines(text: string): readonly (readonly [line: number, text: string])[] {
  return text.split(/\r\n|[\r\n]/).map((line, at) => [at + 1, line]);
}

/** `Name: value` lines with continuations; a name with a colon, or a digit in front, is in quotes. */
export function* labelledLines(
  lines: Iterable<readonly [line: number, text: string]>,
): Generator<LabelledLine, void, undefined> {
  let open: { line: number; name: string; parts: string[] } | undefined;
  const done = (): LabelledLine[] =>
    open === undefined ? [] : [{ line: open.line, name: open.name, value: open.parts.join('\n').trim() }];
  for (const [line, text] of lines) {
    const trimmed = text.trim();
    if (trimmed === '' || /^[ \t]/.test(text)) {
      if (open !== undefined) open.parts.push(trimmed);
      else if (trimmed !== '') yield { line, stray: trimmed };
      continue;
    }
    yield* done();
    open = undefined;
    const match = label.exec(text);
    if (match === null) yield { line, stray: trimmed };
    else open = { line, name: (match[1] ?? match[2]) as string, parts: [(match[3] as string).trim()] };
  }
  yield* done();
}

/** Fields as lines that `labelledLines` reads back: further lines of a value are indented. */
export function asLabelledLines(fields: Iterable<readonly [name: string, value: string]>): string {
  const written = (name: string) => (bareName.test(name) ? name : `"${name}"`);
  return Array.from(fields, ([name, value]) => `${written(name)}: ${value.replace(/\n/g, '\n  ')}`).join(
    '\n',
  );
}
