import { isUtf8 } from 'node:buffer';
import { isTar, latin1Start, tarBlockBytes } from '../../readers/bytes/index.ts';
import { byteOrder } from '../../readers/text/index.ts';
import { compoundDocument } from './compound-contents.ts';
import { binaryPatterns, type Signature, signatures } from './signature-table.ts';
import { markOfText } from './text-marks.ts';
import type { TypeName } from './type-names.ts';
import { zippedDocument } from './zip-contents.ts';

/** Bytes at the beginning of a document that recognition reads. */
export const sniffedBytes = 1024;

/** What the bytes of a document show. */
export interface Content {
  /** Undefined when the bytes show no type. */
  readonly type?: TypeName;
  readonly mediaType?: string;
  /** Whether no other type has such bytes. */
  readonly certain: boolean;
  /** `plain`: text without a doubt; `text`: few control characters; `binary`: text of no charset. */
  readonly form: 'plain' | 'text' | 'binary' | 'empty';
  /** The beginning as Latin-1, without byte order mark, white space and, of UTF-16, zero bytes; empty of binary data. */
  readonly start: string;
}

const isoMark = { at: 0x8000, bytes: '\x01CD001\x01' } as const;

/** Types whose fixed bytes begin a text. */
const textualTypes: ReadonlySet<TypeName> = new Set(['PostScript', 'RTF', 'Framemaker']);

/** Fixed bytes of binary types that are words too: a text about them may begin so. */
const words = /^[\w!<>.\n -]{1,5}$/;

/** The type that the first `sniffedBytes`, an ISO image's mark or a directory within show, if any. */
export function contentOf(bytes: Uint8Array): Content {
  if (bytes.length === 0) return { certain: false, form: 'empty', start: '' };
  const latin1 = latin1Start(bytes, sniffedBytes);
  const form = formOf(bytes, latin1);
  const signature = matchingSignature(latin1, form);
  if (signature !== undefined) return signed(signature, bytes, latin1, form);
  if (form === 'binary' || latin1.includes('\0')) {
    const found = archiveOf(bytes, latin1);
    if (found !== undefined) return { ...found, certain: true, form: 'binary', start: '' };
    if (form === 'binary') return { certain: false, form, start: '' };
  } else {
    const found = patternOf(latin1);
    if (found !== undefined) return { ...found, certain: true, form: 'binary', start: '' };
  }
  const text = latin1.includes('\0') ? latin1.replaceAll('\0', '') : latin1;
  const start = text.replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '').trimStart();
  return { ...markOfText(start), form, start };
}

function signed(signature: Signature, bytes: Uint8Array, start: string, form: Content['form']): Content {
  const { type, mediaType } = signature;
  const binary = { form: 'binary', start: '' } as const;
  if (type === 'PCCompressed') return { type, ...zippedDocument(bytes), ...binary };
  if (type === 'MSWord') return { type, certain: false, ...compoundDocument(bytes), ...binary };
  return {
    type,
    ...(mediaType && { mediaType }),
    certain: true,
    ...(textualTypes.has(type) ? { form, start } : binary),
  };
}

/** Formats without fixed bytes at their beginning. */
function archiveOf(
  bytes: Uint8Array,
  latin1: string,
): { readonly type: TypeName; readonly mediaType?: string } | undefined {
  const found = patternOf(latin1);
  if (found !== undefined) return found;
  // Before `ustar` a tar had no mark but the checksum of its first header.
  if (isTar(bytes.subarray(0, tarBlockBytes))) return { type: 'Tar' };
  const { at, bytes: mark } = isoMark;
  const isIso = latin1Start(bytes.subarray(at, at + mark.length)) === mark;
  return isIso ? { type: 'Archive', mediaType: 'application/x-iso9660-image' } : undefined;
}

function patternOf(latin1: string): { readonly type: TypeName; readonly mediaType?: string } | undefined {
  const found = binaryPatterns.find(([form]) => form.test(latin1));
  return found && { type: found[1], ...(found[2] && { mediaType: found[2] }) };
}

/** Whether bytes declared as text are clearly binary: a known binary signature or many control bytes. */
export function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.length === 0) return false;
  const latin1 = latin1Start(bytes, sniffedBytes);
  const form = formOf(bytes, latin1);
  const type = matchingSignature(latin1, form)?.type;
  return form === 'binary' || (type !== undefined && !textualTypes.has(type));
}

const windowBytes = 4096;

/** Whether bytes are of one of the forms at their beginning, in their middle and at their end. */
export function isTextThroughout(bytes: Uint8Array, forms: readonly Content['form'][]): boolean {
  if (looksBinary(bytes)) return false;
  if (byteOrder(bytes) !== undefined) return true;
  const last = Math.max(0, bytes.length - windowBytes);
  return [...new Set([0, last >> 1, last])].every((at) => {
    const part = bytes.subarray(at, at + windowBytes);
    return forms.includes(formOf(part, latin1Start(part)));
  });
}

/** By the first byte of a document, those that it may have. */
const possible = Array.from({ length: 256 }, (_, byte) =>
  signatures.filter(({ at, bytes }) => at > 0 || bytes.charCodeAt(0) === byte),
);

function matchingSignature(latin1: string, form: Content['form']): Signature | undefined {
  return possible[latin1.charCodeAt(0)]?.find(
    ({ at, bytes, type }) =>
      latin1.startsWith(bytes, at) && (form !== 'plain' || textualTypes.has(type) || !words.test(bytes)),
  );
}

const fewBytes = 64;
const c1Control = /\xc2[\x80-\x9f]/;
const markupStart = /^[\s\0]{0,20}<(?:!doctype|html|head|title|body|\?xml)[\s>\0]/i;

// biome-ignore lint/suspicious/noControlCharactersInRegex: shift out and shift in.
const shifts = /[\x0e\x0f]/g;

// Text has tabs, line ends, form feeds, backspaces (overstrike) and escapes; little else below a space.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const control = /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f]/g;

function formOf(bytes: Uint8Array, latin1: string): 'plain' | 'text' | 'binary' {
  if (byteOrder(bytes) !== undefined) return 'plain';
  // Korean mail shifts between its letters and ASCII (RFC 1557).
  const read = latin1.includes('\x1b$)C') ? latin1.replace(shifts, '') : latin1;
  const controls = read.match(control)?.length ?? 0;
  // A single sign in a text is a fault of it; DOS ends texts with one.
  if (controls > 2 && controls * 20 > latin1.length)
    return controls * 3 < latin1.length && markupStart.test(latin1) ? 'text' : 'binary';
  if (controls > (latin1.includes('\x1a') ? 1 : 0) && controls * 200 > latin1.length) return 'text';
  if (latin1.length >= fewBytes) return 'plain';
  const high = latin1.match(/[\x80-\xff]/g)?.length ?? 0;
  // In some charsets every letter is beyond ASCII; then spaces and line ends divide words.
  const isText = isUtf8(bytes)
    ? !c1Control.test(latin1)
    : latin1.length >= 16 && (high * 3 < latin1.length || /[\t\n ]/.test(latin1));
  return isText ? 'plain' : 'text';
}
