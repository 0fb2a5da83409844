// Labels in documents that the Encoding standard does not know, and names that detectors use.
const pages: Readonly<Record<string, string>> = {
  '437': 'cp437',
  '866': 'ibm866',
  '874': 'windows-874',
  '932': 'shift_jis',
  '936': 'gb18030',
  '949': 'euc-kr',
  '950': 'big5',
  '65001': 'utf-8',
};
const others: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8',
  unicode11utf8: 'utf-8',
  macroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  big5hkscs: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  sjis: 'shift_jis',
  windows31j: 'shift_jis',
  iso2022jp: 'iso-2022-jp',
  iso2022jp1: 'iso-2022-jp',
  iso2022jp2: 'iso-2022-jp',
  ansi: 'windows-1252',
  tis620: 'windows-874',
};

/**
 * The charset that a label names, by the Encoding standard's name in lower case; undefined for a label that names
 * nothing that can be decoded. Programs write `cp1251`, `win-1251`, `UTF8`, `MacRoman` and much else; GBK and GB2312
 * are read as GB18030, as the standard has it.
 */
export function charsetNamed(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const plain = label.trim().toLowerCase().slice(0, 40);
  const short = plain.replace(/[^a-z0-9]/g, '');
  const page = /^(?:cp|ms|win|windows|ibm|codepage|xcp|xmscp)(\d{3,5})$/.exec(short)?.[1];
  const windows = page !== undefined && /^125\d$/.test(page) ? `windows-${page}` : undefined;
  const name = windows ?? (page === undefined ? undefined : pages[page]) ?? others[short];
  if (name !== undefined) return name === 'cp437' ? undefined : name;
  const iso = /^(?:xiso|iso)?8859(\d{1,2})$/.exec(short)?.[1];
  const tried = iso === undefined ? plain : `iso-8859-${iso}`;
  try {
    const { encoding } = new TextDecoder(tried);
    return encoding === 'gbk' ? 'gb18030' : encoding;
  } catch {
    return undefined;
  }
}

const multibyte: ReadonlySet<string> = new Set([
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'iso-2022-jp',
  'shift_jis',
]);

/** Whether the charset has characters of several bytes, in East Asian scripts. */
export function isEastAsian(charset: string): boolean {
  return multibyte.has(charset);
}
