import type { Figure } from '../harness/results.ts';

const hits = 'A hit of 1 KiB, one connection, through caches where each is the parent of the next';
const crowd = 'A thousand concurrent requests of ten children for an object that no cache has';
const death = 'A parent that dies';

/** The figures of `cache-levels`. */
export const levelFigures = {
  level0: { section: hits, what: 'in the requested cache, p50', unit: 'ms' },
  level1: { section: hits, what: 'in its parent, p50', unit: 'ms' },
  level2: { section: hits, what: "in its parent's parent, p50", unit: 'ms' },
  added: { section: hits, what: 'added per level, p50', unit: 'ms', goal: { below: 1 } },
  origin: { section: crowd, what: 'requests to the origin', unit: 'times', goal: { atMost: 1 } },
  crowd: { section: crowd, what: 'until the last answer', unit: 'ms' },
  alive: { section: death, what: 'a miss while it runs, p50', unit: 'ms' },
  first: { section: death, what: 'the first miss after it has died', unit: 'ms' },
  later: { section: death, what: 'the slowest of the next hundred', unit: 'ms' },
} as const satisfies Record<string, Figure>;

export type LevelFigure = keyof typeof levelFigures;
