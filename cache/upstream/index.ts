// What is asked for beyond the cache: origins and parents over HTTP, and the FTP and Gopher of 1994. Read upstream.ts,
// then plain-connection.ts (the lane for plain requests).

export { openUpstream } from './upstream.ts';
export { connectingTooLong, upstreamError } from './upstream-errors.ts';
export { withSchemes } from './upstream-schemes.ts';
export { guardedLookup, Origins } from './upstream-target.ts';
