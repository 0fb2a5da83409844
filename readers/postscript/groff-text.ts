import { PageWriter } from './page-writer.ts';
import type { PostScriptScanner } from './scanner.ts';

// groff shows strings by letters in groups of four: plain, with wider spaces, with wider letters, with both.
const groups = ['ABCD', 'EFGH', 'IJKL', 'MNOP', 'QRST'];
const wideLetters = 'CDGHKLOPST';
const ligatures: Readonly<Record<string, string>> = {
  '\x8b': 'ff',
  '\x8c': 'fi',
  '\x8d': 'fl',
  '\x8e': 'ffi',
  '\x8f': 'ffl',
  '\x8a': '—',
  '\x89': '–',
  '\xad': '-',
  '\xb7': '•',
};
const wideGap = 0.12;

/** groff: A to D show a string, E to H move right first, I to L down, M to P both, Q to T go to a place. */
export function readGroffText(scanner: PostScriptScanner, maxCharacters: number): PageWriter {
  const writer = new PageWriter();
  const fonts = new Map<string, { readonly size: number; readonly bold: boolean }>();
  let before: number[] = [];
  let after: number[] = [];
  let text: string | undefined;
  let literals: string[] = [];
  const choose = (font: { readonly size: number; readonly bold: boolean } | undefined) => {
    if (font === undefined) return;
    writer.size = font.size;
    writer.bold = font.bold;
  };
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (token.kind === 'number') (text === undefined ? before : after).push(token.value);
    else if (token.kind === 'literal') literals.push(token.name);
    else if (token.kind === 'string') {
      text = token.text;
      after = [];
    } else {
      const { name } = token;
      const group = name.length === 1 ? groups.findIndex((letters) => letters.includes(name)) : -1;
      if (name === 'SF' && literals.length >= 2) {
        const font = { size: before.at(-1) ?? 10, bold: /bold/i.test(literals.at(-1) ?? '') };
        fonts.set(literals.at(-2) ?? '', font);
        choose(font);
      } else if (group >= 0 && text !== undefined) {
        move(writer, group, after);
        // Where all letters are as far apart as words, each ends a word and begins the next.
        const apart = wideLetters.includes(name) && (before[0] ?? 0) > wideGap * writer.size;
        writer.show(decoded(apart ? [...text].join(' ') : text));
      } else if (name === 'EP' || name === 'showpage') {
        writer.endPage();
        if (writer.characters > maxCharacters) break;
      } else choose(fonts.get(name));
      before = [];
      after = [];
      literals = [];
      text = undefined;
    }
    if (before.length > 64) before = [];
    if (literals.length > 64) literals = [];
  }
  writer.endPage();
  return writer;
}

function move(writer: PageWriter, group: number, after: readonly number[]): void {
  const [first = 0, second = 0] = after;
  if (group === 1) writer.right(first);
  else if (group === 2) writer.up(-first);
  else if (group === 3) {
    writer.right(first);
    writer.up(-second);
  } else if (group === 4) writer.place(first, -second);
}

function decoded(text: string): string {
  return text.replace(/[\x80-\xff]/g, (letter) => ligatures[letter] ?? letter);
}
