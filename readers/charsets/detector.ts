import { createRequire } from 'node:module';
import type * as Jschardet from 'jschardet';
import { charsetNamed } from './charset-labels.ts';
import { decodeAs, oddity } from './decode-as.ts';

// Loaded at the first text that needs it: its models take a tenth of a second.
const library = () => createRequire(import.meta.url)('jschardet') as typeof Jschardet;

// What documents are written in. Charsets that nobody meets only take votes from these.
const considered = [
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'koi8-r',
  'koi8-u',
  'cp866',
  'mac-roman',
  'mac-cyrillic',
  'euc-jp',
  'cp932',
  'cp949',
  'big5hkscs',
  'gb18030',
  'cp874',
];

// Charsets that differ in few characters: the text that is less odd decides.
const siblings: Readonly<Record<string, string>> = {
  'iso-8859-2': 'windows-1250',
  'windows-1250': 'iso-8859-2',
  'iso-8859-4': 'windows-1252',
};

const carriageReturn = 0x0d;
const lineFeed = 0x0a;
const maxEvidence = 12 * 1024;
const maxRead = 2 * 1024 * 1024;
const fewBytes = 4;
const littleText = 24;
const manyBytes = 12;

/** The lines with bytes beyond ASCII, without tags, as far as they are needed to see the charset. */
export function evidenceOf(bytes: Uint8Array): Buffer {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxRead)).toString(
    'latin1',
  );
  const kept: string[] = [];
  let length = 0;
  for (const [line] of start.replace(/<[^<>]{0,2000}>/g, ' ').matchAll(/[^\r\n]*[\x80-\xff][^\r\n]*/g)) {
    kept.push(line.slice(0, maxEvidence));
    length += line.length;
    if (length > maxEvidence) break;
  }
  return Buffer.from(kept.join('\n'), 'latin1');
}

/**
 * The charset that text most likely has, by the statistics of jschardet, for text that is not UTF-8. Undefined for
 * little text with Latin letters, which says nothing. Text whose lines end in CR alone, in Latin letters, is
 * MacRoman: no other system ended lines so. Text of DOS is seen by its boxes, or by letters that are signs elsewhere.
 * @param more further charsets to consider, by their Python names
 */
export function detectedCharset(bytes: Uint8Array, more: readonly string[] = []): string | undefined {
  const evidence = evidenceOf(bytes);
  const charset = guess(evidence, more);
  const latin = charset === undefined || /^(?:windows-125[02478]|iso-8859-[24])$/.test(charset);
  if (latin && bytes.includes(carriageReturn) && !bytes.includes(lineFeed)) return 'macintosh';
  return dosCharset(evidence, charset) ?? charset;
}

// Lines of box drawing characters, with corners or nothing beside them.
const boxes = /(?:^|[\s\xb3-\xda])(?:\xc4{5,}|\xcd{5,})(?:$|[\s\xb3-\xda])/;
// Letters of DOS between small letters, where windows-1252 has signs. One alone may be a quotation mark.
const dosLetters =
  /(?<=[a-z\x80-\xa5\xe1])(?:[\x81-\x84\x86-\x8d\x91\x93-\x95\x9b\xa1-\xa4](?=[a-z\x80-\xa5\xc6\xe1\xe4])|[\x82\x8a\x8d])|(?<=[A-Z])[\x81\x8d\x90](?=[a-z])/g;
// Bytes that windows-1252 does not have.
const noWindows = /[\x81\x8d\x8f\x90\x9d]/;
const mayBeQuotes = /^[\x82\x84\x91\x93-\x95]$/;
const shareOfLetters = 4;

/** The code page of DOS of a text with boxes, or with letters that would be signs in windows-1252. */
function dosCharset(evidence: Buffer, charset: string | undefined): string | undefined {
  const text = evidence.toString('latin1');
  if (boxes.test(text)) {
    const words = Buffer.from(text.replace(/[\xb0-\xdf]/g, ' '), 'latin1');
    return guess(words, []) === 'ibm866' ? 'ibm866' : 'cp437';
  }
  const inside = text.match(dosLetters) ?? [];
  const beyond = text.match(/[\x80-\xff]/g)?.length ?? 0;
  if (inside.length * shareOfLetters < beyond || mayBeQuotes.test(inside.join(''))) return undefined;
  const other = oddity(decodeAs(evidence, charset ?? 'windows-1252')) + (noWindows.test(text) ? 1 : 0);
  return oddity(decodeAs(evidence, 'cp850')) < other ? 'cp850' : undefined;
}

const longAscii = /[ -~\t]{32,}/g;
const nearby = 12;

/** Evidence for the statistics: words all beyond ASCII would be outweighed by much English around them. */
function weighed(evidence: Buffer, runs: readonly string[], count: number): Buffer {
  const single = runs.filter((run) => run.length === 1).length;
  if (single * 5 > count) return evidence;
  const near = (run: string) => `${run.slice(0, nearby)} ${run.slice(-nearby)}`;
  return Buffer.from(evidence.toString('latin1').replace(longAscii, near), 'latin1');
}

function guess(evidence: Buffer, more: readonly string[]): string | undefined {
  const beyond = evidence.toString('latin1').match(/[\x80-\xff]+/g) ?? [];
  const count = beyond.reduce((sum, run) => sum + run.length, 0);
  if (evidence.length < littleText && count < fewBytes) return undefined;
  if (evidence.length < 2 * littleText && count === 1) return undefined;
  const read = weighed(evidence, beyond, count);
  const { encoding } = library().detect(read, { detectEncodings: [...considered, ...more] });
  const charset = charsetNamed(encoding ?? undefined);
  if (charset === undefined) return undefined;
  // In few bytes the statistics find words of two scripts.
  const sibling = siblings[charset] ?? (count < manyBytes ? 'windows-1252' : undefined);
  if (sibling === undefined) return charset;
  if (charset === 'iso-8859-2' && isQuoted(evidence.toString('latin1'))) return sibling;
  return oddity(decodeAs(evidence, sibling)) < oddity(decodeAs(evidence, charset)) ? sibling : charset;
}

// The quotation marks « and » of Windows, which are letters of ISO-8859-2.
function isQuoted(text: string): boolean {
  const pairs = text.match(/(?<![\w\x80-\xff])\xab[^\xab\xbb]{1,200}\xbb(?![\w\x80-\xff])/g)?.length ?? 0;
  return pairs > 0 && text.match(/[\xab\xbb]/g)?.length === 2 * pairs;
}
