// Sends requests upstream: to origins and parents over HTTP, and by FTP and Gopher. Read upstream.ts, then
// plain-connection.ts (the path for plain requests).

export { openUpstream } from './upstream.ts';
export { connectingTooLong, upstreamError } from './upstream-errors.ts';
export { withSchemes } from './upstream-schemes.ts';
export { guardedLookup, Origins } from './upstream-target.ts';
