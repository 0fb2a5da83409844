import { decodeAs } from '../../text/index.ts';

/** Text of the 256 codes of a simple font; empty where unknown. */
export type Encoding = readonly string[];

const ascii = Array.from({ length: 256 }, (_, code) =>
  code >= 32 && code < 127 ? String.fromCharCode(code) : '',
);

/** `text` laid over an encoding from a code on; a blank leaves a gap. */
function laid(base: Encoding, ...rows: readonly (readonly [from: number, text: string])[]): Encoding {
  const codes = [...base];
  for (const [from, text] of rows)
    for (const [at, character] of [...text].entries()) if (character !== ' ') codes[from + at] = character;
  return codes;
}

const standard = laid(
  ascii,
  [0x27, '’'],
  [0x60, '‘'],
  [0xa1, "¡¢£⁄¥ƒ§¤'“«‹›"],
  [0xb1, '–†‡· ¶•‚„”»…‰ ¿'],
  [0xc1, '`´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—'],
  [0xe1, 'Æ ª    ŁØŒº'],
  [0xf1, 'æ   ı  łøœß'],
);

const allCodes = (label: string): Encoding => {
  const bytes = Uint8Array.from({ length: 128 }, (_, at) => at + 128);
  return laid(ascii, [128, decodeAs(bytes, label)]);
};

const symbol = laid(
  new Array<string>(256).fill(''),
  [0x21, '!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_ αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…  ↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑'],
  [0xf1, '〉∫'],
);
(symbol as string[])[0x20] = ' ';

// The two codes of StandardEncoding that are ligatures, as text that is searched for.
(standard as string[])[0xae] = 'fi';
(standard as string[])[0xaf] = 'fl';

const byName: Readonly<Record<string, Encoding>> = {
  StandardEncoding: standard,
  WinAnsiEncoding: allCodes('windows-1252'),
  PDFDocEncoding: allCodes('windows-1252'),
  MacRomanEncoding: allCodes('macintosh'),
  Symbol: symbol,
};

/** An encoding by its PDF name (ISO 32000 annex D) or `Symbol`; undefined for others. */
export function encodingNamed(name: string | undefined): Encoding | undefined {
  return name === undefined || !Object.hasOwn(byName, name) ? undefined : byName[name];
}
