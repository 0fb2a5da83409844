import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeAs } from '../../readers/charsets/index.ts';

/** A language and a charset that its texts are in, by their names in iconv and in the Encoding standard. */
export interface Pair {
  readonly language: string;
  readonly charset: string;
}

// iconv's name where it is another: the same bytes as the Encoding standard has them.
const iconvNames: Readonly<Record<string, string>> = {
  'euc-kr': 'UHC',
  ibm866: 'CP866',
  macintosh: 'MACINTOSH',
  shift_jis: 'CP932',
  'windows-1258': 'CP1258',
};

const charsetsOf: Readonly<Record<string, string>> = {
  cs: 'windows-1250 iso-8859-2',
  da: 'windows-1252',
  de: 'windows-1252 macintosh',
  el: 'windows-1253 iso-8859-7',
  es: 'windows-1252 macintosh',
  fi: 'windows-1252',
  fr: 'windows-1252 macintosh',
  hr: 'windows-1250 iso-8859-2',
  hu: 'windows-1250 iso-8859-2',
  it: 'windows-1252',
  ja: 'shift_jis euc-jp iso-2022-jp',
  ko: 'euc-kr',
  mk: 'windows-1251',
  nb: 'windows-1252',
  nl: 'windows-1252',
  pl: 'windows-1250 iso-8859-2',
  pt: 'windows-1252',
  pt_BR: 'windows-1252',
  ro: 'windows-1250 iso-8859-2',
  ru: 'windows-1251 koi8-r iso-8859-5 ibm866',
  sl: 'windows-1250 iso-8859-2',
  sr: 'windows-1251 iso-8859-5',
  sv: 'windows-1252 macintosh',
  tr: 'windows-1254',
  uk: 'windows-1251 koi8-u',
  vi: 'windows-1258',
  zh_CN: 'gbk gb18030',
  zh_TW: 'big5',
};

/** All pairs. */
export const pairs: readonly Pair[] = Object.entries(charsetsOf).flatMap(([language, charsets]) =>
  charsets.split(' ').map((charset) => ({ language, charset })),
);

/** A text and its bytes in a charset. */
export interface Sample {
  readonly text: string;
  readonly bytes: Uint8Array;
}

const minCharacters = 300;
const maxEnglish = 0.05;
const english = /\b(?:the|of|and|is|to|this|that|with)\b/g;
const withoutSpaces = /^(?:ja|zh)/;
// Tables of characters are in no language.
const tables = /8859|koi8|cp125|armscii|charset|ascii|utf/i;

/** The texts of a language's manual pages below folders such as /usr/share/man, without their markup. */
export function manualTexts(language: string, folders: readonly string[]): readonly string[] {
  const sections = folders
    .map((folder) => join(folder, language))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((section) => join(folder, section)))
    .filter((folder) => /\/man\d\w*$/.test(folder));
  return sections
    .flatMap((section) => readdirSync(section).map((name) => join(section, name)))
    .filter((path) => !tables.test(path))
    .sort()
    .flatMap((path) => {
      const bytes = readFileSync(path);
      const source = path.endsWith('.gz') && bytes.length > 0 ? gunzipSync(bytes) : bytes;
      return isUtf8(source) ? [plainText(source.toString('utf8'))] : [];
    })
    .filter((text) => text.length > minCharacters);
}

function plainText(source: string): string {
  return source
    .split('\n')
    .filter((line) => !/^[.']/.test(line))
    .join('\n')
    .replace(/\\f\[\w*\]|\\f.|\\[&|,/%c]|\\s[-+]?\d/g, '')
    .replace(/\\[([](..)\]?/g, '')
    .replace(/\\(.)/g, '$1');
}

/**
 * Samples of this many words (of Chinese and Japanese: of twice as many characters) in a charset, at most `count`: texts
 * that the charset has all characters of, and that are not English. `random` chooses the places.
 */
export function samplesOf(
  { language, charset }: Pair,
  texts: readonly string[],
  words: number,
  count: number,
  random: () => number,
): readonly Sample[] {
  const chosen: string[] = [];
  for (let tries = 0; texts.length > 0 && tries < count * 40 && chosen.length < count * 3; tries++) {
    const text = pieceOf(texts[Math.floor(random() * texts.length)] as string, words, language, random);
    if (text === undefined || (text.match(english)?.length ?? 0) > maxEnglish * words) continue;
    const beyond = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
    if (beyond > 0 && (/^(?:ja|zh|ko|ru|uk|el|sr|mk)/.test(language) ? beyond > text.length / 3 : true))
      chosen.push(charset === 'windows-1258' ? vietnamese(text) : text);
  }
  const lines = encodedLines(chosen, charset);
  return chosen
    .map((text, at) => ({ text, bytes: lines[at] ?? new Uint8Array() }))
    .filter(({ text, bytes }) => decodeAs(bytes, charset === 'gbk' ? 'gb18030' : charset) === text)
    .filter(({ bytes }) => charset === 'iso-2022-jp' || !isUtf8(bytes))
    .slice(0, count);
}

function pieceOf(text: string, words: number, language: string, random: () => number): string | undefined {
  let piece: string;
  if (withoutSpaces.test(language)) {
    const packed = text.replace(/\s+/g, ' ');
    const start = Math.floor(random() * Math.max(1, packed.length - 2 * words));
    piece = packed.slice(start, start + 2 * words).trim();
  } else {
    const all = text.trim().split(/\s+/);
    if (all.length < words) return undefined;
    const start = Math.floor(random() * (all.length - words));
    piece = all.slice(start, start + words).join(' ');
  }
  // Old charsets have no typographic signs, and Romanian letters with a cedilla. Names of files have few signs.
  return piece
    .replace(/[\\/:*?"<>|&]+ ?/g, ' ')
    .trim()
    .replace(/[‘’‚]/g, "'")
    .replace(/[“”„]/g, '')
    .replace(/[–—‐−]/g, '-')
    .replaceAll('…', '...')
    .replaceAll('\u00a0', ' ')
    .replace(/[șțȘȚ]/g, (letter) => 'şţŞŢ'.charAt('șțȘȚ'.indexOf(letter)));
}

// The charset has letters and tones apart.
function vietnamese(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => {
      const apart = letter.normalize('NFD');
      const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(apart)?.[0];
      return tone === undefined ? letter : apart.replace(tone, '').normalize('NFC') + tone;
    })
    .join('');
}

function encodedLines(texts: readonly string[], charset: string): readonly Uint8Array[] {
  const to = iconvNames[charset] ?? charset.toUpperCase();
  const { stdout } = spawnSync('iconv', ['-c', '-f', 'UTF-8', '-t', to], {
    input: texts.join('\n'),
    maxBuffer: 1 << 28,
  });
  const lines: Uint8Array[] = [];
  for (let at = 0; at <= stdout.length; ) {
    const end = stdout.indexOf(10, at);
    lines.push(stdout.subarray(at, end < 0 ? stdout.length : end));
    at = end < 0 ? stdout.length + 1 : end + 1;
  }
  return lines;
}
