import { texTextsOf } from '../pages/index.ts';
import { PageWriter } from './page-writer.ts';
import type { PostScriptScanner } from './scanner.ts';

// dvips' operators that show a string and then move right by a stored amount and a little more or less.
const afterKept = 'cdefghijk';
// ... and by a little alone; p does not move.
const alone = 'lmno qrst';

interface TexFont {
  /** In dots. */
  readonly size: number;
  readonly name: string;
}

/** dvips: `b` shows and moves, `c` to `t` move by the last amount plus -4 to 4, `y` and `a` go to a place. */
export function readDvipsText(source: string, scanner: PostScriptScanner, maxCharacters: number): PageWriter {
  const writer = new PageWriter();
  const resolution = Number(/\s(\d{2,4})\s+\d{2,4}\s*\([^)\n]{0,500}\)\s*@start/.exec(source)?.[1] ?? 300);
  const unit = 72 / resolution;
  const fonts = fontsOf(source);
  let texts = texTextsOf('cmr10');
  let kept = 0;
  let numbers: number[] = [];
  let text: string | undefined;
  const show = () => {
    if (text === undefined) return;
    writer.show([...text].map((letter) => texts[letter.charCodeAt(0)] ?? '').join(''));
    text = undefined;
  };
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (token.kind === 'number') numbers.push(token.value);
    else if (token.kind === 'string') text = token.text;
    if (token.kind !== 'operator') {
      if (numbers.length > 64) numbers = numbers.slice(-8);
      continue;
    }
    const { name } = token;
    const [before = 0, last = 0] = numbers.slice(-2);
    const single = numbers.at(-1) ?? 0;
    const font = fonts.get(name);
    if (font !== undefined) {
      writer.size = font.size * unit;
      writer.bold = /bx|bold/i.test(font.name);
      texts = texTextsOf(font.name);
    } else if (name === 'a') writer.place(before * unit, -last * unit);
    else if (name === 'y') {
      show();
      writer.place(before * unit, -last * unit);
    } else if (name === 'b') {
      show();
      kept = single;
      writer.right(kept * unit);
    } else if (name === 'p') show();
    else if (name === 'w') writer.right(single * unit);
    else if (name === 'x') writer.up(-single * unit);
    else if (name.length === 1 && afterKept.includes(name)) {
      show();
      kept += afterKept.indexOf(name) - 4;
      writer.right(kept * unit);
    } else if (name.length === 1 && alone.includes(name)) {
      show();
      writer.right((alone.indexOf(name) - 4) * unit);
    } else if (name === 'eop') {
      writer.endPage();
      if (writer.characters > maxCharacters) break;
    }
    numbers = [];
    text = undefined;
  }
  writer.endPage();
  return writer;
}

/** Fonts by dvips' short names; bitmap fonts have neither name nor size, and count as ten points. */
function fontsOf(source: string): ReadonlyMap<string, TexFont> {
  const fonts = new Map<string, TexFont>();
  for (const [, short = '', size, name = ''] of source.matchAll(
    /\/(F[A-Za-z0-9]{1,2})\s(?:[^/]{0,3000}?\s|)([\d.]{1,12})\s*\/([\w.-]{1,64})\s+rf\b/g,
  ))
    fonts.set(short, { size: Number(size), name });
  const resolution = Number(/\s(\d{2,4})\s+\d{2,4}\s*\([^)\n]{0,500}\)\s*@start/.exec(source)?.[1] ?? 300);
  for (const [, short = ''] of source.matchAll(/\/(F[A-Za-z0-9]{1,2})\s+\d{1,4}\s+\d{1,4}\s+dfs?\b/g))
    if (!fonts.has(short)) fonts.set(short, { size: resolution / 7.2, name: 'cmr10' });
  return fonts;
}
