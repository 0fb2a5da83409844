// Who collects from whom, as nodes and edges. Read topology.ts.

export { serverLinks } from './server-links.ts';
export { type KnownServer, type Topology, topologyOf } from './topology.ts';
