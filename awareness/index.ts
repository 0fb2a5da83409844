// How a client learns the inserts, changes and deletes of a store. One engine runs every scheme of the awareness
// paper, schemes are data, and sockets, databases and clocks are passed in. Read source.ts and replica.ts (the two
// sides), then scheme.ts, engine.ts, uni-aware.ts and dist-uni-aware.ts.
export { admissible } from './admissible.ts';
export { type Cost, type CostInput, estimateCost, type Link, usualLink } from './cost.ts';
export { estimateBytes, SignSums } from './difference-estimate.ts';
export { learn, namedElements, type Request, sendVector, Unsuited } from './engine.ts';
export { elementId, SetFingerprint, shortIdFor } from './fingerprint.ts';
export type { Group, GroupBounds, SplitRequest } from './groups.ts';
export {
  bytesOfHandle,
  type Epoch,
  type Handle,
  handleBytes,
  handleFrom,
  handleOf,
  type Lsn,
  lastOidOf,
  oidOfBareHandle,
  sameBytes,
  signatureBytes,
  signatureOf,
} from './handle.ts';
export { OrderedArray } from './ordered-array.ts';
export {
  type GroupSummary,
  type OrderedView,
  type Placed,
  type Position,
  type PositionRange,
  signatureSum,
} from './ordered-view.ts';
export {
  maxHops,
  type ObjectPath,
  type Path,
  type PathBook,
  type PathState,
  type PathVerdict,
  pathVerdict,
  type SentPath,
} from './path.ts';
export type {
  ClientDialogue,
  ClientStatement,
  StoreDialogue,
  StoreStatement,
  VectorElement,
  Want,
} from './protocol-messages.ts';
export {
  type KnownObject,
  type LearningStep,
  type Replica,
  type ReplicaState,
  withApply,
} from './replica.ts';
export type { GroupScheme, Refusal, Scheme, VectorScheme } from './scheme.ts';
export { type Candidate, ChangeHistory, candidates, type RequestingClient } from './scheme-choice.ts';
export { schemeNamed, schemes } from './schemes.ts';
export { cellsFor, maxSketchLength, SetSummary, summarise } from './set-summary.ts';
export {
  decodeShortIds,
  encodeShortIds,
  handlesOf,
  oidBefore,
  type ShortId,
  shortIdBytes,
  shortIdOf,
} from './short-id.ts';
export { cellBytes, peel, Sketch } from './sketch.ts';
export { cellsToSend, fromEstimate, type SketchOpening, sketchOpening } from './sketch-refinement.ts';
export { sound } from './soundness.ts';
export type {
  Change,
  Entry,
  Filter,
  Marker,
  Noted,
  ObjectDelta,
  PublishedObject,
  Refresh,
  Source,
  SourceSnapshot,
  SourceState,
  StoreModel,
  Withdrawal,
} from './source.ts';
