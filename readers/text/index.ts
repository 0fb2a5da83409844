// Text that all readers share: charsets, clean text, headings and paragraphs within bounds, references,
// attributes. Read structured-text.ts, then text-blocks.ts.
export {
  byteOrder,
  type DecodedText,
  declaredCharset,
  decodeAs,
  decodeText,
  encodingOfCodePage,
  rescuer,
  textDecoded,
  withoutPartialCharacter,
} from '../charsets/index.ts';
export { beginning, keptLines, linesOf, oneLine } from './clean-text.ts';
export { delimitedRows, sniffDelimiter } from './delimited-text.ts';
export {
  attempted,
  type ExtractParts,
  eachOf,
  extractOf,
  fact,
  joined,
  languageTag,
  numbered,
  preceding,
} from './extract-builder.ts';
export { readHeaderFields } from './header-fields.ts';
export { beforeLicenceText, isLicenceText } from './licence-text.ts';
export { NameList } from './name-list.ts';
export { ParagraphStack } from './paragraph-stack.ts';
export {
  blocksOf,
  isHeadingLine,
  isNameHeading,
  isProse,
  isRule,
  isToolLine,
  type PlainBlock,
  plainLines,
  printedText,
  underlined,
  withoutEditorMarks,
} from './plain-sections.ts';
export { plainTitle } from './plain-title.ts';
export { ProseBuffer } from './prose-buffer.ts';
export { ReferenceCollector, type References, resolvedUrl } from './reference-collector.ts';
export { withoutPages } from './rfc-pages.ts';
export { RowStack } from './row-stack.ts';
export { isPageField, pageMark, RunningText, type TextSink } from './running-text.ts';
export { StructuredText } from './structured-text.ts';
export { readableBytes, TextBlocks } from './text-blocks.ts';
