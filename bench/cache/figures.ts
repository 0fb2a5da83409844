import type { Figure, Goal } from '../harness/results.ts';
import { type CacheName, cacheNames } from './server.ts';

/** Contents of hits, in KiB. */
export const hitSizes = [1, 10, 100] as const;
export type HitSize = (typeof hitSizes)[number];

const goalsOf: Readonly<Record<HitSize, Partial<Record<CacheName, number>>>> = {
  1: { squid: 1.5, trafficserver: 1.1 },
  10: { squid: 2.5 },
  100: { squid: 6 },
};

const peers = cacheNames.filter((name) => name !== 'garner');
const shown = (name: CacheName) => (name === 'garner' ? 'Garner' : name);

/** Names of the figures, shared by stages and table. */
export const figureIds = {
  rate: (name: CacheName, size: HitSize) => `hit ${size} ${name} rate`,
  cpu: (name: CacheName, size: HitSize) => `hit ${size} ${name} cpu`,
  times: (peer: CacheName, size: HitSize) => `hit ${size} times ${peer}`,
  latency: (part: '50' | '99', of: CacheName | 'direct') => `miss ${part} ${of}`,
  missCpu: (name: CacheName) => `miss ${name} cpu`,
  beyond: (part: '50' | '99') => `miss ${part} beyond nginx`,
  million: (part: 'filling' | 'filled' | 'opening' | 'opened') => `million ${part}`,
};

function hitFigures(size: HitSize): [string, Figure][] {
  const section = `Hits of ${size} KiB over 32 persistent connections, one core`;
  return [
    ...cacheNames.map((name): [string, Figure] => [
      figureIds.rate(name, size),
      { section, what: `${shown(name)}, requests a second`, unit: 'requests/s' },
    ]),
    ...cacheNames.map((name): [string, Figure] => [
      figureIds.cpu(name, size),
      { section, what: `${shown(name)}, CPU of the server for a request`, unit: 'µs' },
    ]),
    ...peers.map((name): [string, Figure] => {
      const min = goalsOf[size][name];
      const what = `Garner against ${name}, requests a second`;
      return [
        figureIds.times(name, size),
        { section, what, unit: 'times', ...(min !== undefined && { goal: { atLeast: min } }) },
      ];
    }),
  ];
}

function missFigures(): [string, Figure][] {
  const section = 'Misses of 1 KiB, one after another over one connection';
  const goal: Goal = { atMost: 0 };
  const parts = ['50', '99'] as const;
  return [
    ...parts.flatMap((part) => [
      [
        figureIds.latency(part, 'direct'),
        { section, what: `the origin itself, p${part}`, unit: 'ms' },
      ] satisfies [string, Figure],
      ...cacheNames.map((name): [string, Figure] => [
        figureIds.latency(part, name),
        { section, what: `added by ${shown(name)}, p${part}`, unit: 'ms' },
      ]),
      [
        figureIds.beyond(part),
        { section, what: `added by Garner more than by nginx, p${part}`, unit: 'ms', goal },
      ] satisfies [string, Figure],
    ]),
    ...cacheNames.map((name): [string, Figure] => [
      figureIds.missCpu(name),
      { section, what: `${shown(name)}, CPU of the server for a miss`, unit: 'µs' },
    ]),
  ];
}

/** Number of objects whose index is measured. */
export const millionObjects = 1_000_000;

function millionFigures(): [string, Figure][] {
  const section = '1,000,000 objects of 200 bytes on disk, 1 MiB of memory for contents';
  const goal: Goal = { atMost: 200 };
  return [
    [figureIds.million('filling'), { section, what: 'objects stored a second', unit: 'objects/s' }],
    [
      figureIds.million('filled'),
      { section, what: 'memory growth of the process when all are stored', unit: 'MB', goal },
    ],
    [
      figureIds.million('opening'),
      { section, what: 'seconds until another process has opened them', unit: 's' },
    ],
    [
      figureIds.million('opened'),
      { section, what: 'its memory growth when they are open', unit: 'MB', goal },
    ],
  ];
}

/** The figures of `cache`. */
export const cacheFigures: Readonly<Record<string, Figure>> = Object.fromEntries([
  ...hitSizes.flatMap(hitFigures),
  ...missFigures(),
  ...millionFigures(),
]);
