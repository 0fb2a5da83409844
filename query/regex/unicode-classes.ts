import { type CharSet, charSet, contains, rangesOf, union } from './char-set.ts';

// Where letters, digits and marks are assigned; the rest of the planes is empty or for private use.
const assigned = [
  [0, 0xd7ff],
  [0xf900, 0x32fff],
  [0xe0100, 0xe01ef],
] as const;
// Only these scripts distinguish upper and lower case.
const cased = [
  [0x41, 0x2dff],
  [0xa640, 0xabff],
  [0xfb00, 0xffff],
  [0x10400, 0x10fff],
  [0x11800, 0x118ff],
  [0x16e00, 0x16eff],
  [0x1e900, 0x1e9ff],
] as const;
const dotlessI = 0x131;

function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

const wordCharacter = /^[\p{L}\p{N}\p{M}_]$/u;

/** `\w`: letters, digits and marks of any script, and `_`. */
export const wordClass = once(() => {
  const ranges: [number, number][] = [];
  for (const [from, to] of assigned)
    for (let code = from; code <= to; code++) {
      if (!wordCharacter.test(String.fromCodePoint(code))) continue;
      const last = ranges.at(-1);
      if (last?.[1] === code - 1) last[1] = code;
      else ranges.push([code, code]);
    }
  return charSet(ranges);
});

/** `\d` */
export const digitClass = charSet([[0x30, 0x39]]);

/** Line breaks: `.` does not match them, `^` and `$` match beside them. */
export const lineBreaks = charSet([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
]);

/** `\s` */
export const spaceClass = charSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

const only = (text: string) => {
  const code = text.codePointAt(0) as number;
  return text.length === (code > 0xffff ? 2 : 1) ? code : undefined;
};

/** The simple case folding of a code point (Unicode, CaseFolding.txt: C and S). */
function fold(code: number): number {
  if (code === dotlessI) return code;
  const character = String.fromCodePoint(code);
  const upper = only(character.toUpperCase());
  return only((upper === undefined ? character : String.fromCodePoint(upper)).toLowerCase()) ?? code;
}

/** Letters that are the same but for case, as [letter, its others] in the order of the letters. */
const caseVariants = once(() => {
  const groups = new Map<number, number[]>();
  for (const [from, to] of cased)
    for (let code = from; code <= to; code++) {
      const folded = fold(code);
      const group = groups.get(folded);
      if (group === undefined) groups.set(folded, [code]);
      else group.push(code);
    }
  return [...groups.values()].filter((group) => group.length > 1);
});

/** The set with every letter in all its cases. */
export function foldCase(set: CharSet): CharSet {
  const [first, last] = [set[0] ?? 0, set.at(-1) ?? 0];
  // Nothing below A and nothing between z and the micro sign has case.
  if (last < 0x41 || (first > 0x7a && last < 0xb5)) return set;
  const more: [number, number][] = [];
  for (const group of caseVariants())
    if (group.some((code) => contains(set, code))) for (const code of group) more.push([code, code]);
  return more.length === 0 ? set : union(set, charSet(more));
}

/** The members of a set of letters in an index of lower-case words, or undefined when they are many. */
export function fewMembers(set: CharSet, max: number): number[] | undefined {
  const members: number[] = [];
  for (const [from, to] of rangesOf(set)) {
    if (members.length + to - from >= max) return undefined;
    for (let code = from; code <= to; code++) members.push(code);
  }
  return members;
}
