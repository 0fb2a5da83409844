import { ByteView, latin1Start } from '../bytes/index.ts';
import type { FontFacts } from './font-facts.ts';

const searched = 64 * 1024;

/** Whether a file begins as a Type 1 font, as text (PFA) or in segments (PFB). */
export function isType1(bytes: Uint8Array): boolean {
  const start = latin1Start(bytes, 40);
  const text = bytes[0] === 0x80 && bytes[1] === 1 ? start.slice(6) : start;
  return /^%!(?:PS-AdobeFont|FontType1)/.test(text);
}

/** Read the clear part of a Type 1 font (Adobe Type 1 Font Format): the font and FontInfo dictionaries. */
export function readType1(bytes: Uint8Array): FontFacts {
  const file = new ByteView(bytes);
  const segmented = bytes[0] === 0x80;
  const start = segmented ? 6 : 0;
  const length = segmented ? file.u32(2, true) : searched;
  const text = file.latin1(start, start + Math.min(length, searched)).split(/\beexec\b/, 1)[0] ?? '';
  const fixed = /\/isFixedPitch\s+(true|false)/.exec(text)?.[1];
  const encoding = /\/Encoding\s+(\w+)\s+def/.exec(text)?.[1];
  const named = /\/FontName\s*\/([^\s/]{1,200})/.exec(text)?.[1];
  return {
    format: segmented ? 'Type 1 (PFB)' : 'Type 1 (PFA)',
    family: parenthesised(text, 'FamilyName'),
    style: parenthesised(text, 'Weight'),
    fullName: parenthesised(text, 'FullName') ?? named,
    postScriptName: named,
    version: parenthesised(text, 'version') ?? /^%!\S+\s+\S+\s+([\d.]{1,20})/.exec(text)?.[1],
    copyright: parenthesised(text, 'Copyright') ?? parenthesised(text, 'Notice'),
    weight: parenthesised(text, 'Weight'),
    fixedPitch: fixed === 'true',
    encoding: encoding ?? (/\/Encoding\s+256/.test(text) ? 'FontSpecific' : undefined),
    scripts: encoding === 'StandardEncoding' ? ['Latin'] : [],
    notes: [],
  };
}

const maxString = 4000;

/** The string after a key: parentheses nest, a backslash escapes the next sign. */
function parenthesised(text: string, key: string): string | undefined {
  const match = new RegExp(`/${key}\\s*\\(`).exec(text);
  if (match === null) return undefined;
  let depth = 1;
  let value = '';
  for (let at = match.index + match[0].length; at < text.length && value.length < maxString; at++) {
    const sign = text.charAt(at);
    if (sign === '\\') {
      value += text.charAt(++at);
      continue;
    }
    if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0) return value.trim();
    value += sign;
  }
  return undefined;
}
