/** Scripts that put no spaces between words; the tokeniser cuts them into pairs of characters. */
export const UnspacedScript = {
  none: 0,
  han: 1,
  katakana: 2,
  hiragana: 3,
  hangul: 4,
  other: 5,
  mixed: 6,
} as const;
export type UnspacedScript = (typeof UnspacedScript)[keyof typeof UnspacedScript];

function scriptAt(code: number): UnspacedScript {
  if (code < 0x0e00) return UnspacedScript.none;
  if (code < 0x1000) return UnspacedScript.other;
  if (code < 0x10a0) return UnspacedScript.other;
  if (code < 0x1100) return UnspacedScript.none;
  if (code < 0x1200) return UnspacedScript.hangul;
  if (code >= 0x1780 && code < 0x1800) return UnspacedScript.other;
  if (code < 0x2e80) return UnspacedScript.none;
  if (code === 0x3005 || code === 0x3007) return UnspacedScript.han;
  if (code >= 0x3040 && code < 0x30a0) return UnspacedScript.hiragana;
  if (code >= 0x30a0 && code < 0x3100) return UnspacedScript.katakana;
  if (code >= 0x3400 && code < 0xa000) return UnspacedScript.han;
  if (code >= 0xac00 && code < 0xd7b0) return UnspacedScript.hangul;
  if (code >= 0xd800 && code < 0xe000) return UnspacedScript.other;
  if (code >= 0xf900 && code < 0xfb00) return UnspacedScript.han;
  if (code >= 0xff66 && code < 0xffa0) return UnspacedScript.katakana;
  return UnspacedScript.none;
}

/** The unspaced script of a token of `text`: `mixed` when its two characters are of different ones. */
export function scriptOf(text: string, start: number, end: number): UnspacedScript {
  const first = scriptAt(text.charCodeAt(start));
  if (first === UnspacedScript.none) return first;
  const last = scriptAt(text.charCodeAt(end - 1));
  return first === last ? first : UnspacedScript.mixed;
}
