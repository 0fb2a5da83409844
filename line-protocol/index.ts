// Ports that speak a protocol of lines, as those of 1994 do: who is let in, how many at once, how long a line may
// be and how long a connection may stand still. What is said on the lines belongs to the actor that says it.
export { AccessList, type NameLookup } from './access-list.ts';
export { linesErrors } from './errors.ts';
export { LineConnection } from './line-connection.ts';
export { type LineServer, type LineServerOptions, serveLines } from './line-server.ts';
