// The mdoc notation of man pages: escapes, prose that is wrapped as mandoc asks, and the macros that the pages use.

/** Maximum bytes of a text line; mandoc's linter reports lines over 80. */
const maxLine = 76;

/** Text in which no character is read as a request or an escape. */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('--', '\\-\\-')
    .replace(/[^\x20-\x7e]/gu, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
    });
}

/** One argument of a macro. Words that could be macros or punctuation themselves are shielded. */
export function argument(text: string): string {
  const plain = escaped(text).replaceAll('"', '\\(dq');
  const shielded = /^(?:[A-Z%][A-Za-z0-9]{1,2}|[.,:;()[\]?!|].*)$/.test(plain) ? `\\&${plain}` : plain;
  return shielded === '' || /\s/.test(shielded) ? `"${shielded}"` : shielded;
}

/** Lines of prose: each sentence begins on a line of its own, and no line is longer than `maxLine`. */
export function prose(text: string): string[] {
  const sentences = text.trim().split(/(?<=[.!?])\s+(?=\S)/);
  return sentences.flatMap((sentence) => {
    const lines: string[] = [];
    for (const word of escaped(sentence).split(/\s+/)) {
      const last = lines.at(-1);
      if (last === undefined || last.length + 1 + word.length > maxLine) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines.map((line) => (/^[.']/.test(line) ? `\\&${line}` : line));
  });
}

/** A sentence with its full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** A list whose entries have a head, an `.It` line without the macro, and lines below it. */
export function taggedList(
  entries: readonly (readonly [head: string, lines: readonly string[]])[],
): string[] {
  if (entries.length === 0) return [];
  return ['.Bl -tag -width Ds', ...entries.flatMap(([head, lines]) => [`.It ${head}`, ...lines]), '.El'];
}

/** `.Fl -name Ar value`, without the dot: a long option and what it takes. */
export function longOption(name: string, value?: string): string {
  return value === undefined ? `Fl -${name}` : `Fl -${name} Ar ${argument(value)}`;
}

/** A page of the manual. */
export interface Page {
  /** `garner-gatherer` */
  readonly name: string;
  readonly section: 1 | 5;
  /** What it is, without a full stop. */
  readonly describe: string;
  /** The lines below NAME. */
  readonly body: readonly string[];
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The text of a page. `date` is that of the source, so that the same source gives the same page. */
export function pageText({ name, section, describe, body }: Page, date: Date): string {
  const day = `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
  return [
    `.Dd ${day}`,
    `.Dt ${name.toUpperCase()} ${section}`,
    '.Os',
    '.Sh NAME',
    `.Nm ${name}`,
    `.Nd ${escaped(describe.charAt(0).toLowerCase() + describe.slice(1))}`,
    ...body,
    '',
  ].join('\n');
}
