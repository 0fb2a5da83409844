// Who collects from whom, as nodes and edges. Read topology.ts.

export { type ServerLinks, serverLinks } from './server-links.ts';
export { type KnownServer, type Topology, topologyOf } from './topology.ts';
