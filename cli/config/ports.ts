/**
 * The default port of each server. `docs/security.md` has the same table. `site` is the first port for a folder that
 * `up` serves, and `icp` and `htcp` are UDP ports of a cache, which are closed unless they are set.
 */
export const defaultPorts = {
  gatherer: 8500,
  broker: 8501,
  registry: 8502,
  replicator: 8503,
  tracker: 8504,
  oai: 8505,
  site: 8580,
  cache: 3128,
  icp: 3130,
  htcp: 4827,
} as const;
