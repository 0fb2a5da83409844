// Unicode text of glyph names that no rule covers: a name, then its text.
const named = `
exclam ! quotedbl " numbersign # dollar $ percent % ampersand & quotesingle '
quoteright ’ quoteleft ‘ parenleft ( parenright ) asterisk * plus + comma , hyphen - sfthyphen - softhyphen -
hyphenchar - period . slash / zero 0 one 1 two 2 three 3 four 4 five 5 six 6 seven 7 eight 8 nine 9 colon : semicolon ;
less < equal = greater > question ? at @ bracketleft [ backslash \\ bracketright ] asciicircum ^ underscore _ grave \`
braceleft { bar | braceright } asciitilde ~ exclamdown ¡ cent ¢ sterling £ currency ¤ yen ¥ brokenbar ¦ section §
dieresis ¨ copyright © ordfeminine ª guillemotleft « guillemotright » guillemetleft « guillemetright » logicalnot ¬
registered ® macron ¯ overscore ¯ degree ° plusminus ± acute ´ mu µ micro µ paragraph ¶ periodcentered · middot ·
cedilla ¸ ordmasculine º onequarter ¼ onehalf ½ threequarters ¾ questiondown ¿ multiply × divide ÷ AE Æ ae æ OE Œ oe œ
Oslash Ø oslash ø Eth Ð eth ð Thorn Þ thorn þ germandbls ß SS SS Germandbls ẞ Lslash Ł lslash ł Dcroat Đ dcroat đ
dbar đ Hbar Ħ hbar ħ Tbar Ŧ tbar ŧ Eng Ŋ eng ŋ kgreenlandic ĸ dotlessi ı dotlessj ȷ longs ſ IJ IJ ij ij florin ƒ
napostrophe ŉ Ldot Ŀ ldot ŀ Ng Ŋ ng ŋ circumflex ˆ caron ˇ breve ˘ dotaccent ˙ ring ˚ ogonek ˛ tilde ˜ hungarumlaut ˝
quotesinglbase ‚ quotedblbase „ quotedblleft “ quotedblright ” guilsinglleft ‹ guilsinglright › endash – emdash —
figuredash ‒ horizontalbar ― dagger † daggerdbl ‡ bullet • ellipsis … perthousand ‰ minute ′ second ″ fraction ⁄
Euro € euro € franc ₣ lira ₤ peseta ₧ won ₩ trademark ™ servicemark ℠ estimated ℮ numero № ohm Ω Ohm Ω
ff ff fi fi fl fl ffi ffi ffl ffl st st ct ct fj fj ffj ffj tt tt Th Th f_f ff f_i fi f_l fl f_f_i ffi f_f_l ffl
Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο
Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω alpha α beta β gamma γ delta δ epsilon ε epsilon1 ϵ
epsiloninv ε zeta ζ eta η theta θ theta1 ϑ iota ι kappa κ lambda λ nu ν xi ξ omicron ο pi π pi1 ϖ omega1 ϖ rho ρ
rho1 ϱ sigma σ sigma1 ς sigmafinal ς tau τ upsilon υ phi φ phi1 ϕ chi χ psi ψ omega ω Upsilon1 ϒ
alphatonos ά epsilontonos έ etatonos ή iotatonos ί omicrontonos ό upsilontonos ύ omegatonos ώ iotadieresis ϊ
upsilondieresis ϋ iotadieresistonos ΐ upsilondieresistonos ΰ Alphatonos Ά Epsilontonos Έ Etatonos Ή Iotatonos Ί
Omicrontonos Ό Upsilontonos Ύ Omegatonos Ώ tonos ΄ dieresistonos ΅ anoteleia · Iotadieresis Ϊ Upsilondieresis Ϋ
arrowleft ← arrowup ↑ arrowright → arrowdown ↓ arrowboth ↔ arrowupdn ↕ arrowdblleft ⇐ arrowdblup ⇑ arrowdblright ⇒
arrowdbldown ⇓ arrowdblboth ⇔ arrownortheast ↗ arrowsoutheast ↘ arrownorthwest ↖ arrowsouthwest ↙ carriagereturn ↵
universal ∀ existential ∃ notexistential ∄ emptyset ∅ increment ∆ gradient ∇ nabla ∇ element ∈ notelement ∉ suchthat ∋
owner ∋ product ∏ coproduct ∐ summation ∑ minus − minusplus ∓ asteriskmath ∗ openbullet ◦ ring1 ° radical √
proportional ∝ infinity ∞ angle ∠ logicaland ∧ logicalor ∨ intersection ∩ union ∪ integral ∫ contintegral ∮
therefore ∴ similar ∼ similarequal ≃ congruent ≅ approxequal ≈ notequal ≠ equivalence ≡ lessequal ≤ greaterequal ≥
lessmuch ≪ greatermuch ≫ precedes ≺ follows ≻ precedesequal ≼ followsequal ≽ propersubset ⊂ propersuperset ⊃
notsubset ⊄ reflexsubset ⊆ reflexsuperset ⊇ circleplus ⊕ circleminus ⊖ circlemultiply ⊗ circledivide ⊘ circledot ⊙
perpendicular ⊥ latticetop ⊤ turnstileleft ⊢ turnstileright ⊣ dotmath ⋅ periodcenteredmath · diamondmath ⋄ star ⋆
wreathproduct ≀ asymptequal ≍ equivasymptotic ≍ unionmulti ⊎ unionsq ⊔ intersectionsq ⊓ subsetsqequal ⊑ supersetsqequal ⊒
floorleft ⌊ floorright ⌋ ceilingleft ⌈ ceilingright ⌉ angbracketleft ⟨ angbracketright ⟩ angleleft 〈 angleright 〉
bardbl ‖ parallel ∥ mapsto ↦ prime ′ aleph ℵ Ifraktur ℑ Rfraktur ℜ weierstrass ℘ lscript ℓ partialdiff ∂ hslash ℏ
openbullet ◦ bigcircle ◯ triangle △ triangleinv ▽ triangleleft ◁ triangleright ▷ lozenge ◊ square □ filledbox ■
H18533 ■ H22073 □ H18543 ▪ H18551 ▫ filledrect ▬ triagup ▲ triagdn ▼ triagrt ► triaglf ◄ circle ○ H18533 ■
spade ♠ club ♣ heart ♥ diamond ♦ musicalnote ♪ checkmark ✓ visiblespace ␣ visspace ␣ flat ♭ natural ♮ sharp ♯
slurabove ⌢ slurbelow ⌣ arrowhookleft ↩ arrowhookright ↪ arrowlefttophalf ↼ arrowrighttophalf ⇀ nullset ∅
lessorequalslant ⩽ greaterorequalslant ⩾ notsign ¬ vector ⃗ macron1 ¯ tie ⁀ perthousandzero 0 dieresis1 ¨
Delta1 ∆ Omega1 Ω quotedbllow „ onesuperior ¹ twosuperior ² threesuperior ³ foursuperior ⁴ commaaccent , apostrophe '
afii10017 А afii10018 Б afii10019 В afii10020 Г afii10021 Д afii10022 Е afii10023 Ё afii00208 ― afii61352 №
ampersandsmall & Acyrillic А copyleft © nbhyphen ‑ zerodot 0 Idot İ Idotaccent İ circlecopyrt © asteriskcentered ∗ commainferior ,
`;

/** The combining character that a name's ending adds to the letter before it. */
const accents: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circumflex: '\u0302',
  tilde: '\u0303',
  macron: '\u0304',
  breve: '\u0306',
  dotaccent: '\u0307',
  dot: '\u0307',
  dieresis: '\u0308',
  hookabove: '\u0309',
  ring: '\u030a',
  hungarumlaut: '\u030b',
  dblacute: '\u030b',
  caron: '\u030c',
  dblgrave: '\u030f',
  horn: '\u031b',
  dotbelow: '\u0323',
  commaaccent: '\u0327',
  cedilla: '\u0327',
  ogonek: '\u0328',
};

const byName: ReadonlyMap<string, string> = new Map([...pairs()]);

function* pairs(): Generator<[string, string]> {
  yield* [
    ['space', ' '],
    ['nbspace', ' '],
    ['nonbreakingspace', ' '],
    ['compwordmark', ''],
    ['.notdef', ''],
  ] satisfies [string, string][];
  const words = named.trim().split(/\s+/);
  for (let at = 0; at + 1 < words.length; at += 2) yield [words[at] ?? '', words[at + 1] ?? ''];
  for (let code = 0x410; code < 0x450; code++)
    yield [`afii${10017 + cyrillicRank(code)}`, String.fromCharCode(code)];
  for (let at = 0; at < 12; at++) {
    const code = at === 0 ? 0x490 : at < 11 ? 0x401 + at : 0x40e;
    yield [`afii${10050 + at + (at === 11 ? 1 : 0)}`, String.fromCharCode(code)];
  }
  yield* [
    ['afii10023', 'Ё'],
    ['afii10071', 'ё'],
    ['afii10062', 'Ў'],
    ['afii10145', 'Џ'],
    ['afii10098', 'ґ'],
    ['afii10193', 'џ'],
    ['afii10110', 'ў'],
  ] satisfies [string, string][];
  for (let at = 0; at < 11; at++) yield [`afii${10099 + at}`, String.fromCharCode(0x452 + at)];
}

// Adobe numbers the Russian alphabet with yo in its place; small letters begin 48 further.
function cyrillicRank(code: number): number {
  const small = code >= 0x430;
  const rank = code - (small ? 0x430 : 0x410);
  return rank + (rank > 5 ? 1 : 0) + (small ? 48 : 0);
}

const variants =
  /(?:small|oldstyle|inferior|superior|fitted|lining|tab|swash|alt|display|text|big|bigg|Big|Bigg)$/;
const maxNameLength = 64;

/** The text of a glyph's name by Adobe's rules: `uni20AC`, `f_i`, `a.alt`; undefined for other names. */
export function textOfGlyph(name: string): string | undefined {
  if (name.length > maxNameLength) return undefined;
  const known = byName.get(name);
  if (known !== undefined) return known;
  if (/^[A-Za-z]$/.test(name)) return name;
  const dot = name.indexOf('.');
  if (dot > 0) return textOfGlyph(name.slice(0, dot));
  const codes = /^uni((?:[0-9A-F]{4})+)$/.exec(name)?.[1] ?? /^u([0-9A-Fa-f]{4,6})$/.exec(name)?.[1];
  if (codes !== undefined) return textOfCodes(codes, name.startsWith('uni') ? 4 : codes.length);
  if (name.includes('_')) {
    const parts = name.split('_').map((part) => textOfGlyph(part));
    return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
  }
  return accented(name) ?? plainForm(name);
}

function textOfCodes(digits: string, width: number): string | undefined {
  let text = '';
  for (let at = 0; at < digits.length; at += width) {
    const code = Number.parseInt(digits.slice(at, at + width), 16);
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
    text += String.fromCodePoint(code);
  }
  return text;
}

function accented(name: string): string | undefined {
  for (const [accent, mark] of Object.entries(accents)) {
    if (!name.endsWith(accent) || name.length === accent.length) continue;
    const letter = textOfGlyph(name.slice(0, -accent.length));
    if (letter !== undefined && /^\p{L}\p{M}*$/u.test(letter)) return (letter + mark).normalize('NFC');
  }
  return undefined;
}

function plainForm(name: string): string | undefined {
  const plain = name.replace(variants, '');
  return plain === name || plain === '' ? undefined : textOfGlyph(plain);
}

/** The character code in names of bitmap fonts such as `a65`, `C65` or `G41`, or undefined. */
export function codeOfGlyph(name: string): number | undefined {
  const decimal = /^[A-FH-Za-z]?[a-z]?(\d{1,3})$/.exec(name)?.[1];
  if (decimal !== undefined) return Number(decimal);
  const hexadecimal = /^G([0-9A-Fa-f]{2})$/.exec(name)?.[1];
  return hexadecimal === undefined ? undefined : Number.parseInt(hexadecimal, 16);
}
