// The types between readers and the Gatherer: a document, its extract, its blocks of text. Read document.ts,
// then extract.ts.
export {
  type Abridged,
  bytesFromStart,
  type DocumentInput,
  documentName,
  endBytes,
  partUrl,
} from './document.ts';
export {
  type AttributeNote,
  type Block,
  type BlockRole,
  defaultSummariseOptions,
  type Extract,
  type Field,
  type ReadText,
  type RecognisedDocument,
  type SummariseOptions,
  type SummaryText,
  summaryTexts,
} from './extract.ts';
