/** How codes of a composite font are split and their text without a ToUnicode map. */
export interface WideCodes {
  /** Bytes of a code by its first byte. */
  readonly lengths: Uint8Array;
  /** Text of a code, or undefined. */
  readonly text: (code: number) => string | undefined;
  /** Whether codes are character identifiers, by which widths are listed. */
  readonly byCharacter: boolean;
}

// The predefined maps (ISO 32000 table 116) by the beginning of their names, and the charset their codes are in.
const charsets: readonly (readonly [RegExp, string])[] = [
  [/^(?:83pv|90ms|90msp|90pv|Add)-RKSJ|^Ext-RKSJ/, 'shift_jis'],
  [/^(?:GB|GBpc)-EUC|^GBK/, 'gb18030'],
  [/^(?:B5pc|HKscs-B5|ETen-B5|ETenms-B5)/, 'big5'],
  [/^(?:KSC|KSCms|KSCpc)-/, 'euc-kr'],
  [/^EUC-/, 'euc-jp'],
];

const two = new Uint8Array(256).fill(2);

/** The codes of a predefined map by its name; `ordering` is that of the CIDSystemInfo. */
export function codesOfCharacterSet(name: string, ordering: string): WideCodes {
  if (/^Uni.*-(?:UCS2|UTF16)/.test(name))
    return { lengths: two, text: (code) => String.fromCharCode(code), byCharacter: false };
  const charset = charsets.find(([pattern]) => pattern.test(name))?.[1];
  if (charset !== undefined) return multibyte(charset);
  const asian = /^(?:Japan1|GB1|CNS1|Korea1|KR)$/.test(ordering);
  return {
    lengths: two,
    // All four collections begin with ASCII.
    text: (code) => (asian && code > 0 && code < 96 ? String.fromCharCode(code + 31) : undefined),
    byCharacter: true,
  };
}

function multibyte(charset: string): WideCodes {
  const lengths = new Uint8Array(256).fill(1);
  lengths.fill(2, 0x81, 0xff);
  if (charset === 'shift_jis') lengths.fill(1, 0xa0, 0xe0);
  const decoder = new TextDecoder(charset);
  const text = (code: number) =>
    decoder.decode(code > 0xff ? Uint8Array.of(code >> 8, code & 0xff) : Uint8Array.of(code));
  return { lengths, text, byCharacter: false };
}
