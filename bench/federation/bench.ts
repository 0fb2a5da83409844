import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';
import { readSummary } from '../../registry/index.ts';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { packageFolder } from '../harness/machine.ts';
import { Results } from '../harness/results.ts';
import { qualityOf } from '../levels/quality.ts';
import { type JudgedCollection, readCollection } from '../levels/relevance/collection.ts';
import { askTogether, BenchBroker, questionOf, type Text } from './brokers.ts';
import { bestOf, choosers } from './choosers.ts';
import { bagOf, clusteredCut, randomCut } from './cuts.ts';
import { documentationFolders, noise } from './documentation.ts';
import { type Cut, collections, cuts, type FigureId, figures, ways } from './figures.ts';
import { measureLarge } from './large-broker.ts';
import { measureLatency } from './latency.ts';

const parts = 20;
const noiseBrokers = 10;
const asked = 5;
const top = 10;
const counted = 100;

type Judged = JudgedCollection['queries'][number];

/** One collection, cut and indexed, with the Brokers that disturb. */
async function measureCut(
  { queries }: Pick<JudgedCollection, 'queries'>,
  brokers: readonly BenchBroker[],
  seed: number,
  signal: AbortSignal,
): Promise<{ readonly quality: Readonly<Record<string, number>>; readonly bytes: number }> {
  const texts = await Promise.all(brokers.map((broker) => broker.summaryText()));
  const summaries = texts.map((text, at) => readSummary(text, brokers[at]?.objects ?? 0));
  const choices = choosers(summaries, seededRandom(seed));
  const rankings = new Map<string, (readonly number[])[]>([
    ['all', []],
    ['own', []],
    ...ways.map((way): [string, (readonly number[])[]] => [way, []]),
  ]);
  const brokerAt = (at: number) => brokers[at] as BenchBroker;
  const placesOf = (hits: Awaited<ReturnType<typeof askTogether>>) =>
    hits.slice(0, top).map(({ place }) => place ?? -1);
  for (const query of queries) {
    signal.throwIfAborted();
    const question = questionOf(query.text);
    const all = await askTogether(brokers, question, counted);
    rankings.get('all')?.push(placesOf(all));
    const own = await askTogether(brokers.slice(0, parts), question, counted);
    rankings.get('own')?.push(placesOf(own));
    const countOf = (held: readonly number[]) => {
      const counts = brokers.map(() => 0);
      for (const broker of held) counts[broker] = (counts[broker] as number) + 1;
      return counts;
    };
    const known = {
      text: query.text,
      ofHundred: countOf(all.map(({ broker }) => broker)),
      ofOwnHundred: countOf(own.map(({ broker }) => broker)),
      ofTen: countOf(all.slice(0, top).map(({ broker }) => broker)),
      relevant: countOf(holders(query, brokers)),
    };
    // Many ways choose the same.
    const answers = new Map<string, readonly number[]>();
    for (const way of ways) {
      const chosen = [...bestOf(choices[way](known), asked)].sort((x, y) => x - y);
      const places =
        answers.get(chosen.join()) ?? placesOf(await askTogether(chosen.map(brokerAt), question, top));
      answers.set(chosen.join(), places);
      rankings.get(way)?.push(places);
    }
  }
  const quality = Object.fromEntries(
    [...rankings].map(([way, all]) => [way, qualityOf(all, queries).ndcg10]),
  );
  return { quality, bytes: Math.max(...texts.map((text) => Buffer.byteLength(text))) };
}

/** The Broker of each relevant document. */
const holders = ({ relevant }: Judged, brokers: readonly BenchBroker[]): number[] =>
  brokers.flatMap((broker) => [...relevant].filter((place) => broker.has(place)).map(() => broker.number));

function cutOf(collection: JudgedCollection, cut: Cut, seed: number): readonly (readonly Text[])[] {
  const random = seededRandom(seed);
  const { documents } = collection;
  const places =
    cut === 'random'
      ? randomCut(documents.length, parts, random)
      : clusteredCut(
          documents.map(({ title, text }) => bagOf(`${title} ${text}`)),
          parts,
          random,
        );
  return Array.from({ length: parts }, (_, part) =>
    documents.flatMap(({ title, text }, place) => (places[place] === part ? [{ title, text, place }] : [])),
  );
}

async function openAll(
  folder: string,
  texts: readonly (readonly Text[])[],
  first: number,
): Promise<BenchBroker[]> {
  const brokers: BenchBroker[] = [];
  for (const [at, own] of texts.entries()) brokers.push(await BenchBroker.open(folder, first + at, own));
  return brokers;
}

async function closeAll(brokers: readonly BenchBroker[]): Promise<void> {
  for (const broker of brokers) await broker[Symbol.asyncDispose]();
}

async function run({ rounds, quick, onStep, signal }: RunOptions): Promise<Measured> {
  const results = new Results<FigureId>(figures);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-federation-'));
  const opened: BenchBroker[] = [];
  const noiseTexts = await noise(noiseBrokers, 70);
  try {
    const disturbing = await openAll(folder, noiseTexts, parts);
    opened.push(...disturbing);
    for (const name of collections) {
      const whole = readCollection(join(packageFolder(), '../shared/data/ir', name));
      const judged = quick ? { ...whole, queries: whole.queries.slice(0, 20) } : whole;
      for (const cut of cuts)
        for (let round = 0; round < rounds; round++) {
          onStep(`${name}, ${cut}, seed ${round + 1} of ${rounds}`);
          const own = await openAll(folder, cutOf(judged, cut, round + 1), 0);
          opened.push(...own);
          const { quality, bytes } = await measureCut(judged, [...own, ...disturbing], round + 1, signal);
          results.add(`${name} ${cut} all`, 100 * (quality.all ?? 0));
          for (const way of ['own', ...ways] as const)
            results.add(`${name} ${cut} ${way}`, (100 * (quality[way] ?? 0)) / (quality.all || 1));
          for (const base of ['bound', 'own', 'boundOfOwn'] as const)
            results.add(`${name} ${cut} of ${base}`, (100 * (quality.chosen ?? 0)) / (quality[base] || 1));
          results.add('summary bytes', bytes);
          for (const broker of disturbing) broker.forget();
          await closeAll(own);
        }
    }
    onStep('a large Broker');
    await measureLarge(folder, results, { quick, signal });
    await measureLatency(folder, results, { quick, signal, onStep });
  } finally {
    await closeAll(opened);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return {
    input: [
      `${collections.join(' and ')}, each cut into ${parts} Brokers: by spherical k-means over TF-IDF, and at random; each round is a seed.`,
      `Beside them ${noiseBrokers} Brokers of ${noiseTexts[0]?.length ?? 0} texts of ${documentationFolders.join(', ')} each.`,
      `A question goes to ${asked} of the ${parts + noiseBrokers} Brokers; their answers are merged by their statistics together.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

/** Which Brokers a federated search asks, and what that choice and the search cost. */
export const federationJob: Benchmark = {
  name: 'federation',
  describe: 'five Brokers of thirty chosen by their content summaries, against CORI, size, chance and bounds',
  peers: {},
  run,
};
