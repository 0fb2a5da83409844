// A real cache between a client and an origin over real sockets, in one process and on a clock that tests move: what a
// test of HTTP caching needs and nothing else. An origin follows a script for each URL and notes what it was asked; the
// client shows every line, interim response and broken end as it came.
export { cached, notModifiedOr, type Page } from './pages.ts';
export { type Ask, ask, type Received } from './raw-client.ts';
export { RunningCache, type RunningOptions } from './running-cache.ts';
export type { Answer, Asked, Line, Step } from './scripted-origin.ts';
export { contentOf, pathOf, tagsOf, VersionedOrigin, versionOf } from './versioned-origin.ts';
