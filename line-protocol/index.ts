// Ports that speak line protocols, as those of 1994 do: access lists, and limits of connections, line length and
// idle time. The caller's `Conversation` reads and writes the lines. Read line-server.ts, then line-connection.ts.
export { AccessList, type NameLookup } from './access-list.ts';
export { linesErrors } from './errors.ts';
export { LineConnection } from './line-connection.ts';
export { type LineServer, type LineServerOptions, serveLines } from './line-server.ts';
