import { type EvictionName, evictionPolicies } from '../../cache/testing/eviction-policies.ts';
import type { Figure } from '../harness/results.ts';

/** The replayed traces, with their names for a reader. */
export const traceNames = {
  web07: 'web07 (a news site, pages count the same)',
  cdn: 'AdaptSize sample of a CDN (objects count the same)',
  cdnBytes: 'AdaptSize sample of a CDN (by bytes, with admission)',
  'zipf-0.8': 'Zipf 0.8 with one-hit wonders',
  'zipf-0.9': 'Zipf 0.9 with one-hit wonders',
  'zipf-1.0': 'Zipf 1.0 with one-hit wonders',
} as const;

export type TraceName = keyof typeof traceNames;

/** Sizes of the cache, as a part of the size of all objects. */
export const cacheSizes = { small: 0.01, large: 0.1 } as const;
export type CacheSize = keyof typeof cacheSizes;

const percent = (size: CacheSize) => `${100 * cacheSizes[size]} %`;

export type TraceFigure =
  | `${TraceName} ${CacheSize} ${EvictionName}`
  | `${TraceName} ${CacheSize} ahead`
  | `${TraceName} large ${EvictionName} bytes`
  | `${TraceName} large ahead bytes`
  | `${TraceName} large ${EvictionName} time`;

const names = Object.keys(traceNames) as readonly TraceName[];
export const policyNames = Object.keys(evictionPolicies) as readonly EvictionName[];

function* figuresOf(trace: TraceName): Generator<[TraceFigure, Figure]> {
  const section = traceNames[trace];
  for (const size of Object.keys(cacheSizes) as readonly CacheSize[]) {
    for (const policy of policyNames)
      yield [
        `${trace} ${size} ${policy}`,
        { section, what: `hit ratio of ${policy}, a cache of ${percent(size)}`, unit: '%' },
      ];
    const ahead: Figure = {
      ...{ section, what: `sieve ahead of lru, a cache of ${percent(size)}`, unit: 'points' },
      ...(size === 'large' ? { goal: { atLeast: 2 } } : {}),
    };
    yield [`${trace} ${size} ahead`, ahead];
  }
  if (trace === 'cdnBytes') {
    for (const policy of policyNames)
      yield [
        `${trace} large ${policy} bytes`,
        { section, what: `bytes from the cache with ${policy}, ${percent('large')}`, unit: '%' },
      ];
    yield [
      `${trace} large ahead bytes`,
      { section, what: `sieve ahead of lru in bytes, ${percent('large')}`, unit: 'points' },
    ];
  }
  for (const policy of policyNames)
    yield [
      `${trace} large ${policy} time`,
      { section, what: `time of a request with ${policy}, ${percent('large')}`, unit: 'µs' },
    ];
}

/** All figures of `cache-traces`. */
export const traceFigures = Object.fromEntries(names.flatMap((name) => [...figuresOf(name)])) as Readonly<
  Record<TraceFigure, Figure>
>;

/** The figures of one trace. */
export const figuresOfTrace = (trace: TraceName): readonly TraceFigure[] =>
  (Object.keys(traceFigures) as TraceFigure[]).filter((id) => id.startsWith(`${trace} `));
