// Labels in documents that the Encoding standard does not know, and names that detectors use.
const pages: Readonly<Record<string, string>> = {
  '437': 'cp437',
  '850': 'cp850',
  '858': 'cp850',
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
  iso2022kr: 'iso-2022-kr',
  hz: 'hz-gb-2312',
  hzgb2312: 'hz-gb-2312',
  uhc: 'euc-kr',
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
  const page = /^x?(?:cp|ms|mscp|win|windows|ibm|codepage|pc)?(\d{3,5})$/.exec(short)?.[1];
  const windows = page !== undefined && /^125[0-8]$/.test(page) ? `windows-${page}` : undefined;
  const name = windows ?? (page === undefined ? undefined : pages[page]) ?? others[short];
  if (name !== undefined) return name;
  const iso = /^(?:xiso|iso)?8859(\d{1,2})$/.exec(short)?.[1];
  const tried = iso === undefined ? plain : `iso-8859-${iso}`;
  try {
    const { encoding } = new TextDecoder(tried);
    return encoding === 'gbk' ? 'gb18030' : encoding;
  } catch {
    return undefined;
  }
}

/** The encoding of a Windows code page by its number; windows-1252 when it is unknown. */
export function encodingOfCodePage(page: number): string {
  return page === 10_000 ? 'macintosh' : (charsetNamed(`cp${page}`) ?? 'windows-1252');
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

const declarationBytes = 1024;
const lateBytes = 64 * 1024;
const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i;
const xml = /^[^<]{0,4}<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:+-]{1,40})/i;

const editorLine =
  /^(?:.*\n)?.*?(?:coding|fileencoding|fenc)[:=][ \t]*([\w.-]{2,30})|^@charset "([\w.-]{2,30})"/;

/**
 * The charset that an editor's line names, among the first two lines: `-*- coding: euc-jp -*-` of Emacs and of
 * Python (PEP 263), `fileencoding=` of vim; also the `@charset` of a style sheet.
 */
export function editorCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 512)).toString('latin1');
  const [, named, style] = editorLine.exec(start) ?? [];
  return (named ?? style)?.replace(/-(?:unix|dos|mac)$/i, '');
}

/**
 * The charset declared in an HTML or XML document: the first 1024 bytes by the HTML standard's 13.2.3.2 (without its
 * full pre-scan), else a `meta` within 64 KiB, which counts while parsing (13.2.3.4). A declared UTF-16 means UTF-8,
 * since the declaration was readable as ASCII.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const label = declaredIn(bytes, declarationBytes) ?? declaredIn(bytes, lateBytes);
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function declaredIn(bytes: Uint8Array, max: number): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, max))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return meta.exec(start)?.[1] ?? xml.exec(start)?.[1];
}
