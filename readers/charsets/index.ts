// The one decoder of everything that becomes text. Read decode-text.ts, which has the ladder.
export { charsetNamed, declaredCharset, encodingOfCodePage } from './charset-labels.ts';
export { decodeAs } from './decode-as.ts';
export {
  byteOrder,
  type CharsetRung,
  type DecodedText,
  decodeLabelled,
  decodeMail,
  decodeText,
  textDecoded,
} from './decode-text.ts';
export { withoutPartialCharacter } from './mostly-utf8.ts';
export { NameDecoder, rescuer } from './name-decoder.ts';
