// Charsets that Node does not decode, or only in part.
const chinese = new TextDecoder('gb18030');
const korean = new TextDecoder('euc-kr');

const ascii = String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code));

const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0';
const cp850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0';

const byTable = (upper: string) => {
  const table = ascii + upper;
  return (bytes: Buffer) =>
    bytes.toString('latin1').replace(/[\x80-\xff]/g, (sign) => table.charAt(sign.charCodeAt(0)));
};

/** Bytes of seven bits as those of a charset that has the eighth bit in each. */
const raised = (run: string) =>
  Buffer.from(
    run.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) | 0x80)),
    'latin1',
  );

// Chinese between ~{ and ~}, at most to the end of the line (RFC 1843).
function decodeHz(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/~(?:\{((?:[!-}][!-~])*)(?:~\})?|~|\n)/g, (found, run: string | undefined) =>
      run === undefined ? (found === '~~' ? '~' : '') : chinese.decode(raised(run)),
    );
}

/** What begins a text of ISO-2022-KR (RFC 1557). */
export const koreanDesignator = '\x1b$)C';
// biome-ignore lint/suspicious/noControlCharactersInRegex: shift out and shift in are the charset's signs.
const shifted = /\x0e([^\x0e\x0f\r\n]*)\x0f?/g;

const decodeShiftedKorean = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .replaceAll(koreanDesignator, '')
    .replace(shifted, (_, run: string) => decodeKorean(raised(run)));

const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
const lowLeads = 0x20;
const lowTrails = 178;
const highTrails = 84;
let further: readonly string[] | undefined;

/** The syllables that KS X 1001 lacks, in the order in which windows-949 lists them. */
function furtherSyllables(): readonly string[] {
  const rows = Buffer.from(
    Array.from({ length: 25 * 94 }, (_, at) => [0xb0 + Math.floor(at / 94), 0xa1 + (at % 94)]).flat(),
  );
  const known = new Set(korean.decode(rows));
  const all = Array.from({ length: lastSyllable - firstSyllable + 1 }, (_, at) =>
    String.fromCharCode(firstSyllable + at),
  );
  return all.filter((syllable) => !known.has(syllable));
}

/** EUC-KR with the syllables of windows-949, which the Encoding standard requires and Node's decoder lacks. */
function decodeKorean(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at + 1 < bytes.length; at++) {
    const lead = bytes[at] as number;
    if (lead < 0x81) continue;
    const trail = bytes[at + 1] as number;
    const row = lead - 0x81;
    const column = trail - (trail > 0x80 ? 0x4d : trail > 0x60 ? 0x47 : 0x41);
    const isFurther =
      /[A-Za-z\x81-\xfe]/.test(String.fromCharCode(trail)) && (row < lowLeads || trail < 0xa1);
    further ??= furtherSyllables();
    const place =
      row < lowLeads
        ? row * lowTrails + column
        : lowLeads * lowTrails + (row - lowLeads) * highTrails + column;
    const syllable = isFurther ? further[place] : undefined;
    if (syllable !== undefined) {
      parts.push(korean.decode(bytes.subarray(from, at)), syllable);
      from = at + 2;
    }
    if (syllable !== undefined || trail > 0xa0) at++;
  }
  return parts.join('') + korean.decode(bytes.subarray(from));
}

/** Decoders by the names of their charsets. */
export const furtherDecoders: Readonly<Record<string, (bytes: Buffer) => string>> = {
  cp437: byTable(cp437),
  cp850: byTable(cp850),
  'euc-kr': decodeKorean,
  'hz-gb-2312': decodeHz,
  'iso-2022-kr': decodeShiftedKorean,
};
