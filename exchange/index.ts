// Synchronises two stores over a session: a source is served by its verbs, a client collects into a replica.
// Schemes, markers, hints, the guard against bursts of deletions and the check of signatures are here; no other
// folder of Garner synchronises. Read collect.ts and serve.ts side by side.

export { collect, watchHints } from './collect.ts';
export type { CollectOptions, Resume, Room } from './collect-options.ts';
export { exchangeErrors } from './errors.ts';
export { collectServed, pushFailed, type RoundReport, roundFinished } from './events.ts';
export { type FilterSpec, filterFrom, filterText } from './filter.ts';
export { withIdleTimeout } from './idle-timeout.ts';
export { KeyAnnouncements } from './key-announcements.ts';
export {
  admitPeerKey,
  currentKey,
  isReached,
  type KeyRow,
  type Keyring,
  MemoryKeyring,
  rowLearned,
  rowSucceeded,
} from './keyring.ts';
export { collectPaths } from './paths.ts';
export { probeLink, probeState } from './probe.ts';
export { type PushNews, pushChanges, pushRefused, pushSource, pushVerb } from './push.ts';
export { rehearse } from './rehearse.ts';
export { dropRevoked } from './revoked-objects.ts';
export { answerVerbs, sourceVerbs, type Verb } from './serve.ts';
