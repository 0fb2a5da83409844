// The rows of a store: their keys, and the encoding of their values. Read object-keys.ts, then object-meta.ts.
export { ClientTable } from './client-table.ts';
export { deleteSetRows, trimDeparted } from './departed-members.ts';
export {
  decodeFiltered,
  decodeFilteredLog,
  decodeFilteredMember,
  decodeProgress,
  decodeSets,
  encodeFiltered,
  encodeFilteredLog,
  encodeFilteredMember,
  encodeProgress,
  encodeSets,
  type FilteredKind,
  type FilteredMember,
  type FilteredState,
  type StandingProgress,
} from './filtered-rows.ts';
export {
  journalOfKey,
  keys,
  numberOfKey,
  oidOfKey,
  setLsnOfKey,
  setOfKey,
  textOfKey,
} from './object-keys.ts';
export {
  decodeDelta,
  decodeEntry,
  decodeLogRow,
  decodeMeta,
  encodeDelta,
  encodeLogRow,
  encodeMeta,
  expiresAtMs,
  type LifeBounds,
  type LogRow,
  lifeOf,
  noteOf,
  type ObjectMeta,
  oidInLogRow,
  refreshOf,
} from './object-meta.ts';
export { addPartition, freeNumber } from './partition-numbers.ts';
export { PartitionStates } from './partition-states.ts';
export {
  decodePath,
  decodePathState,
  encodePath,
  encodePathState,
  type KnownPath,
  noPaths,
  pathCount,
} from './path-rows.ts';
export { PartitionBytes } from './source-bytes.ts';
export {
  decodePartition,
  decodeState,
  decodeWithdrawals,
  encodePartition,
  encodeState,
  newEpoch,
  type PartitionState,
  type StoreState,
  withdrawalsRow,
} from './store-state.ts';
export {
  batchOfSummary,
  decodeSetChange,
  decodeSummary,
  encodeSetChange,
  encodeSummary,
  type SetChange,
} from './summary-rows.ts';
export { decodeTombstone, encodeTombstone, isSigned, oldTombstones, type Tombstone } from './tombstones.ts';
