/** The kinds of servers that a Registry lists; each is the template type of its descriptions. */
export const serverTypes = [
  'GATHERER',
  'BROKER',
  'CACHE',
  'REPLICATOR',
  'REGISTRY',
  'TRACKER',
  'OAI-REPOSITORY',
] as const;

export type ServerType = (typeof serverTypes)[number];

export const isServerType = (text: string): text is ServerType => serverTypes.some((type) => type === text);
