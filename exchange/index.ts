// Two stores become aware of each other over a session: a source is served by its verbs, a client collects into
// a replica. Schemes, markers, hints, the guard against bursts of deletions and the check of signatures live
// here; nothing else in Garner synchronises.
export { collect, watchHints } from './collect.ts';
export type { CollectOptions, Resume } from './collect-options.ts';
export { exchangeErrors } from './errors.ts';
export { collectServed, pushFailed, type RoundReport, roundFinished, roundProgress } from './events.ts';
export { type FilterSpec, filterFrom, filterText } from './filter.ts';
export { Introductions } from './introductions.ts';
export { type Keyring, MemoryKeyring } from './keyring.ts';
export { type CollectPathsOptions, collectPaths } from './paths.ts';
export { probeLink, probeState } from './probe.ts';
export { type PushNews, pushChanges, pushRefused, pushSource, pushVerb } from './push.ts';
export { type Rehearsal, rehearse } from './rehearse.ts';
export { answerVerbs, type Served, sourceVerbs, type Verb } from './serve.ts';
export { exchangeSettings } from './settings.ts';
export { limitSilence } from './silence.ts';
