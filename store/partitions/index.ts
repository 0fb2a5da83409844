// Partitions: a store's copies of its sources, and the paths of their objects. Read partition.ts, then partition-paths.ts.
export { dropClaim, dropVersions, expel, learn, mark, subjectOf, unlearn } from './partition.ts';
export { emptyPartition, ownRows } from './partition-drop.ts';
export { partitionPaths, pathsAt, serverOf } from './partition-paths.ts';
export { partitionReplica } from './partition-replica.ts';
