export type { AttributeNote } from './attribute-note.ts';
export type { Block, BlockRole } from './block.ts';
export { type DocumentInput, documentName } from './document.ts';
export {
  defaultSummariseOptions,
  type Extract,
  type Field,
  type ReadText,
  type RecognisedDocument,
  type SummariseOptions,
  type SummaryText,
  summaryTexts,
} from './extract.ts';
export { partUrl } from './part-url.ts';
