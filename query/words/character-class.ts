export const CharacterClass = {
  separator: 1,
  /** Letters, digits and marks of scripts that put spaces between words. */
  word: 2,
  /** Letters of scripts that do not, and Hangul: cut into overlapping pairs. */
  unspaced: 3,
  /** Invisible inside a word: soft hyphen, zero-width (non-)joiner. */
  joiner: 4,
  /** A pictograph, or half of a flag: a token with the signs that change it. */
  emoji: 5,
} as const;

type CharacterClassValue = (typeof CharacterClass)[keyof typeof CharacterClass];

const wordPattern = /^[\p{L}\p{N}\p{M}]$/u;
const joiners: ReadonlySet<number> = new Set([0xad, 0x200c, 0x200d, 0x2060]);
const unspacedPattern =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]$/u;

// Older signs (copyright, arrows) are of no interest.
const emojiPattern =
  /^(?:(?![\0-\u25ff])\p{Extended_Pictographic}|\p{Emoji_Presentation}|\p{Regional_Indicator})$/u;

function decide(codePoint: number): CharacterClassValue {
  if (joiners.has(codePoint)) return CharacterClass.joiner;
  const character = String.fromCodePoint(codePoint);
  if (emojiPattern.test(character) && !/\p{Emoji_Modifier}/u.test(character)) return CharacterClass.emoji;
  if (!wordPattern.test(character)) return CharacterClass.separator;
  return unspacedPattern.test(character) ? CharacterClass.unspaced : CharacterClass.word;
}

// Filled as characters occur: the table look-up makes the tokeniser fast.
const basicPlane = new Uint8Array(0x1_0000);

/** The class of a code point; a lone surrogate is a separator. */
export function characterClass(codePoint: number): CharacterClassValue {
  if (codePoint > 0xffff) return decide(codePoint);
  const known = basicPlane[codePoint] as CharacterClassValue | 0;
  if (known !== 0) return known;
  const decided = decide(codePoint);
  basicPlane[codePoint] = decided;
  return decided;
}
