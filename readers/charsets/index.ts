// The one decoder of everything that becomes text. Read decode-text.ts, which has the ladder.
export { charsetNamed } from './charset-labels.ts';
export { decodeAs } from './decode-as.ts';
export { declaredCharset } from './declared-charset.ts';
export {
  byteOrder,
  type CharsetLabels,
  type CharsetRung,
  type DecodedText,
  decodeLabelled,
  decodeText,
} from './decode-text.ts';
