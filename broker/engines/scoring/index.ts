// How well a document answers a query: BM25 over fields, nearness, signals beside words, and feedback. Read scores.ts,
// then ranking.ts.
export { bestOf } from './best-scores.ts';
export { feedbackWeight } from './feedback.ts';
export { GroupLists } from './group-lists.ts';
export { type RankedTerm, type Ranking, rankingOf } from './ranking.ts';
export { ScoreSignals, type SignalOptions, type Signals } from './score-signals.ts';
export { type Scoring, scoresOf } from './scores.ts';
export { TopicVectors } from './topic-vectors.ts';
