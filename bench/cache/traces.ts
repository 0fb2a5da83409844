import { type EvictionName, evictionPolicies } from '../../cache/testing/eviction-policies.ts';
import { seededRandom } from '../../kernel/index.ts';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { formatNumber } from '../harness/report.ts';
import { Results, type Skipped } from '../harness/results.ts';
import { type Replayed, replay, wholeSize } from './replay.ts';
import {
  oneHitPart,
  type Recorded,
  type Requests,
  readCdnSample,
  readWeb07,
  zipfRequests,
} from './requests.ts';
import {
  type CacheSize,
  cacheSizes,
  figuresOfTrace,
  policyNames,
  type TraceFigure,
  type TraceName,
  traceFigures,
  traceNames,
} from './traces-figures.ts';

const seed = 1995;
const zipf = { requests: 1_000_000, objects: 100_000, onceOnly: 0.15 };
const quickZipf = { requests: 100_000, objects: 10_000, onceOnly: 0.15 };

/** The requests of a round: recorded traces are the same in each round, random ones are drawn again. */
function traceOf(name: TraceName, round: number, quick: boolean): Recorded {
  if (name === 'web07') return readWeb07();
  if (name === 'cdnBytes') return readCdnSample();
  if (name === 'cdn') {
    const recorded = readCdnSample();
    return 'absent' in recorded ? recorded : { objects: recorded.objects, count: recorded.count };
  }
  const exponent = Number(name.slice('zipf-'.length));
  return zipfRequests({ ...(quick ? quickZipf : zipf), exponent }, seededRandom(seed + round));
}

const words = (name: TraceName, requests: Requests) =>
  `${traceNames[name]}: ${formatNumber(requests.objects.length)} requests for ${formatNumber(requests.count)} objects, ${formatNumber(100 * oneHitPart(requests))} % of them requested once.`;

function measureAt(
  size: CacheSize,
  name: TraceName,
  requests: Requests,
  results: Results<TraceFigure>,
): void {
  const budget = Math.floor(wholeSize(requests) * cacheSizes[size]);
  const by = new Map<EvictionName, Replayed>();
  for (const policy of policyNames) {
    const started = performance.now();
    const replayed = replay(requests, evictionPolicies[policy](), budget);
    const ms = performance.now() - started;
    by.set(policy, replayed);
    results.add(`${name} ${size} ${policy}`, 100 * replayed.hitRatio);
    if (size === 'large') results.add(`${name} large ${policy} time`, (1000 * ms) / requests.objects.length);
    if (size === 'large' && name === 'cdnBytes')
      results.add(`${name} large ${policy} bytes`, 100 * replayed.byteHitRatio);
  }
  const ahead = (what: keyof Replayed) =>
    100 * ((by.get('sieve')?.[what] ?? Number.NaN) - (by.get('lru')?.[what] ?? Number.NaN));
  results.add(`${name} ${size} ahead`, ahead('hitRatio'));
  if (size === 'large' && name === 'cdnBytes')
    results.add(`${name} large ahead bytes`, ahead('byteHitRatio'));
}

async function run({ rounds, quick, onStep, signal }: RunOptions): Promise<Measured> {
  const results = new Results(traceFigures);
  const input: string[] = [];
  const skipped: Skipped[] = [];
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(traceNames) as readonly TraceName[]) {
      signal.throwIfAborted();
      onStep(`${name}, round ${round + 1} of ${rounds}`);
      const requests = traceOf(name, round, quick);
      if ('absent' in requests) {
        results.skip(figuresOfTrace(name), requests.absent);
        if (round === 0) skipped.push({ what: traceNames[name], reason: requests.absent });
        continue;
      }
      if (round === 0) input.push(words(name, requests));
      for (const size of Object.keys(cacheSizes) as readonly CacheSize[])
        measureAt(size, name, requests, results);
    }
  return { input, rows: results.rows(), skipped };
}

/** Hit ratios of the object cache's eviction, on recorded traces and on Zipf's law. */
export const traceJob: Benchmark = {
  name: 'cache-traces',
  describe: "hit ratios of the object cache's eviction: SIEVE, LRU and S3-FIFO on traces and Zipf",
  peers: {},
  run,
};
