// Where an index lies in LevelDB: its keys, its fields, the state that a commit replaces as a whole, and batches of
// writes. Read index-keys.ts, then index-state.ts.
export { demandDocnos } from './docno-space.ts';
export { IndexAccess } from './index-access.ts';
export {
  allField,
  fieldNames,
  fieldOf,
  fieldValues,
  hasPlaces,
  pieces,
  titleField,
  valuesField,
  wholeFields,
} from './index-fields.ts';
export {
  allButState,
  blockKey,
  blockRange,
  columnKey,
  columnRange,
  detailKey,
  directoryKey,
  docnoKey,
  filterKey,
  groupKey,
  groupsRange,
  hostsKey,
  type KeyRange,
  keyNumber,
  linkKey,
  linksKey,
  oidBeginningKey,
  oidKey,
  oidRange,
  orderKey,
  pageKey,
  positionsKey,
  postingsKey,
  segmentRange,
  stateKey,
  termKey,
  termOfKey,
  valueKey,
  valueRange,
  wordKey,
  wordPrefixRange,
  wordsRange,
} from './index-keys.ts';
export {
  countedLanguages,
  emptyMoment,
  type FieldLength,
  loadMoment,
  momentWrite,
  presentLanguages,
  type Segment,
  type SegmentedMoment,
  withDead,
} from './index-state.ts';
export type {
  PostingDatabase,
  PostingRange,
  PostingRows,
  PostingSnapshot,
  PostingWrite,
} from './posting-database.ts';
export { deleteRange, WriteBatches } from './write-batches.ts';
