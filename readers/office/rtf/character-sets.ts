// Encodings by Windows' numbers for the character sets of fonts.
const byFontCharset: Readonly<Record<number, string>> = {
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gb18030',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

const byCodePage: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};

/** The encoding of a font's `\fcharset`, or undefined when the document's encoding applies. */
export function encodingOfFontCharset(charset: number): string | undefined {
  return byFontCharset[charset];
}

/** The encoding of a code page's number; windows-1252 when it is unknown. */
export function encodingOfCodePage(page: number): string {
  return byCodePage[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
}
