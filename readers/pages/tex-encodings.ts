const ascii = Array.from({ length: 256 }, (_, code) =>
  code >= 33 && code < 127 ? String.fromCharCode(code) : '',
);

/** `rows` laid over an encoding from a code on; a blank leaves a gap. */
function laid(
  base: readonly string[],
  ...rows: readonly (readonly [number, string | readonly string[]])[]
): string[] {
  const codes = [...base];
  for (const [from, row] of rows)
    for (const [at, text] of [...row].entries()) if (text !== ' ') codes[from + at] = text;
  return codes;
}

const ligatures = ['ff', 'fi', 'fl', 'ffi', 'ffl'];

/** TeX's own text encoding (OT1), that of Computer Modern. */
export const texTexts: readonly string[] = laid(
  ascii,
  [0, 'ΓΔΘΛΞΠΣΥΦΨΩ'],
  [11, ligatures],
  [0x10, 'ıȷ`´ˇ˘¯˚¸ßæœøÆŒØ'],
  [0x22, '”'],
  [0x27, '’'],
  [0x3c, '¡=¿'],
  [0x5c, '“'],
  [0x5f, '˙`'],
  [0x60, '‘'],
  [0x7b, '–—˝˜¨'],
);

const typewriter = laid(
  texTexts,
  [11, "↑↓'¡¿"],
  [0x22, '"'],
  [0x3c, '<=>'],
  [0x5c, '\\'],
  [0x5f, '_'],
  [0x7b, '{|}˜¨'],
);

const mathItalic = laid(
  ascii,
  [0, 'ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ'],
  [0x3a, '.,</>⋆∂'],
  [0x5b, '♭♮♯⌣⌢ℓ'],
  [0x7b, 'ıȷ℘'],
);

const mathSymbols = laid(new Array<string>(256).fill(''), [
  0,
  '−⋅×∗÷⋄±∓⊕⊖⊗⊘⊙◯∘∙≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽/ ∀∃¬∅ℜℑ⊤⊥ℵABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√ ∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠',
]);

const cork = laid(
  ascii,
  [0, '`´ˆ˜¨˝˚ˇ˘¯˙¸˛‚‹›“”„«»–—'],
  [0x19, 'ıȷ'],
  [0x1b, ligatures],
  [0x27, '’'],
  [0x60, '‘'],
  [0x7f, '-ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£'],
  [0xc0, 'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖŒØÙÚÛÜÝÞ'],
  [0xdf, ['SS', ...'àáâãäåæçèéêëìíîïðñòóôõöœøùúûüýþß']],
);

/** Texts of a TeX font's 256 codes, by the font's name; empty where a code is drawing and no text. */
export function texTextsOf(fontName: string): readonly string[] {
  const name = fontName.toLowerCase();
  if (/^(?:ec|tc|lm\w*-ec|\w+8t$|\w+-t1|f?sf)/.test(name) || /(?:^|-)ec-/.test(name)) return cork;
  if (/tt(?:\d|$)|typewriter|^cmtex/.test(name)) return typewriter;
  if (/^(?:cmmi|cmmib|eur|lmmi)/.test(name)) return mathItalic;
  if (/^(?:cmsy|cmbsy|eus|lmsy|msam|msbm)/.test(name)) return mathSymbols;
  return /^(?:cmex|line|lcircle|lasy|logo|manfnt)/.test(name) ? new Array<string>(256).fill('') : texTexts;
}
