// Two stores become aware of each other over a session: a source is served by its verbs, a client collects into
// a replica. Schemes, markers, hints, the guard against bursts of deletions and the check of signatures live
// here; nothing else in Garner synchronises.

export { collect, watchHints } from './collect.ts';
export type { CollectOptions } from './collect-options.ts';
export { exchangeErrors } from './errors.ts';
export { collectServed, pushFailed, type RoundReport, roundFinished } from './events.ts';
export { type FilterSpec, filterFrom, filterText } from './filter.ts';
export { withIdleTimeout } from './idle-timeout.ts';
export { KeyAnnouncements } from './key-announcements.ts';
export { type Keyring, MemoryKeyring } from './keyring.ts';
export { collectPaths } from './paths.ts';
export { probeLink, probeState } from './probe.ts';
export { type PushNews, pushChanges, pushRefused, pushSource, pushVerb } from './push.ts';
export { rehearse } from './rehearse.ts';
export { answerVerbs, sourceVerbs, type Verb } from './serve.ts';
