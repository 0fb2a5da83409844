// Benchmarks: npm run bench -- [name] [--rounds N] [--quick] [--json] [--write]. Each is a line of the table
// `trials`. Most are a table of figures and stages that fill it in rounds (harness.ts, trial.ts). Parts that must not
// share a process are probes.
import { benchAwareness } from './awareness/awareness.ts';
import { cacheJob } from './cache/bench.ts';
import { levelsOfCachesJob } from './cache/levels.ts';
import { traceJob } from './cache/traces.ts';
import { benchCascade } from './chain/cascade.ts';
import { mainJob } from './chain/main-job.ts';
import { benchCharsets } from './charsets/charsets.ts';
import { benchExtraction } from './extraction/extraction.ts';
import { federationJob } from './federation/bench.ts';
import { gatherJob } from './gather/gather-job.ts';
import { httpJob } from './http/http-job.ts';
import { benchIndex } from './index/bench.ts';
import { benchLanguages } from './levels/languages.ts';
import { benchLevels } from './levels/levels.ts';
import { navigationalJob } from './levels/relevance/navigational.ts';
import { benchRelevance } from './levels/relevance/relevance.ts';
import { benchMillion } from './million/bench.ts';
import { packagesJob } from './packages/bench.ts';
import { runLocalFilesHere } from './probes/local-files.ts';
import { providerJob } from './provider/job.ts';
import { registryJob } from './registry/bench.ts';
import { strangersJob } from './strangers/bench.ts';
import { reported, type Trial } from './trial.ts';
import { benchViews } from './views/views.ts';

/** Parts of a benchmark that run in their own process, so that nothing else shares their CPU and memory. */
const probes: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<unknown>>>> = {
  'awareness-source': async () => (await import('./awareness/source.ts')).probeAwarenessSource,
  'awareness-write': async () => (await import('./awareness/write.ts')).probeAwarenessWrite,
  'cache-fill': async () => (await import('./cache/million.ts')).probeCacheFill,
  'cache-open': async () => (await import('./cache/million.ts')).probeCacheOpen,
  'cache-origin': async () => (await import('./cache/origin.ts')).probeCacheOrigin,
  'cache-pauses': async () => (await import('./cache/pauses.ts')).probeCachePauses,
  'index-garner': async () => (await import('./index/probe.ts')).probeIndexGarner,
  'index-garner-bare': async () => (await import('./index/probe.ts')).probeIndexGarnerBare,
  'index-glimpse': async () => (await import('./index/probe.ts')).probeIndexGlimpse,
  'index-store': async () => (await import('./index/probe.ts')).probeIndexStore,
  'index-minisearch': async () => (await import('./index/probe.ts')).probeIndexMinisearch,
  index: async () => (await import('./probes/index.ts')).probeIndex,
  'million-fill': async () => (await import('./million/probe.ts')).probeMillionFill,
  'million-serve': async () => (await import('./million/probe.ts')).probeMillionServe,
  open: async () => (await import('./probes/search.ts')).probeOpen,
  parser: async () => (await import('./probes/parser.ts')).probeParser,
  search: async () => (await import('./probes/search.ts')).probeSearch,
  'strangers-flood': async () => (await import('./strangers/flood.ts')).probeStrangersFlood,
  'strangers-source': async () => (await import('./strangers/source.ts')).probeStrangersSource,
  'wire-sender': async () => (await import('./probes/wire-sender.ts')).probeWireSender,
  'wire-receiver': async () => (await import('./probes/wire-receiver.ts')).probeWireReceiver,
};

/** Run a probe and print its result as one line of JSON. */
async function runProbeHere(name: string, args: readonly string[]): Promise<void> {
  const load = probes[name];
  if (load === undefined) throw new TypeError(`there is no probe ${name}`);
  const probe = await load();
  process.stdout.write(`${JSON.stringify(await probe(args))}\n`);
}

const navigational = reported({
  ...{ name: 'relevance --navigational', describe: navigationalJob.describe, rounds: 1 },
  benchmark: () => navigationalJob,
});

const trials: readonly Trial[] = [
  reported({ name: mainJob.name, describe: mainJob.describe, benchmark: () => mainJob }),
  reported({
    ...{ name: 'gather', takes: 'FOLDER', rounds: 3, benchmark: gatherJob },
    describe: 'gather a folder twice and make it searchable, compared with pagefind',
  }),
  reported({
    ...{ name: providerJob.name, describe: providerJob.describe, rounds: 3 },
    benchmark: () => providerJob,
  }),
  {
    name: 'awareness',
    describe: 'bytes, rounds, CPU and memory of every awareness scheme (--n N, --u U, --kind KIND)',
    run: benchAwareness,
  },
  {
    name: 'charsets [MAN-FOLDER...]',
    describe:
      'text in 47 pairs of language and charset, in five forms, compared with uchardet and file (--pairs, --write)',
    run: benchCharsets,
  },
  {
    name: 'extraction DIR',
    describe: 'main text of HTML pages with known main text, compared with Readability',
    run: async ([dir, ...options]) => {
      if (dir === undefined) return 'extraction takes the folder of the pages';
      await benchExtraction(dir, { json: options.includes('--json') });
      return 0;
    },
  },
  {
    name: 'relevance DIR',
    describe:
      'ranking of collections with judgments, compared with BM25, minisearch and FTS5 (--short for three words, --navigational for pages found by their names)',
    run: (args) => {
      const isNavigational = args.includes('--navigational');
      return isNavigational
        ? navigational.run(args.filter((one) => one !== '--navigational'))
        : benchRelevance(args);
    },
  },
  reported({
    ...{ name: packagesJob.name, describe: packagesJob.describe, rounds: 1 },
    benchmark: () => packagesJob,
  }),
  reported({ name: cacheJob.name, describe: cacheJob.describe, rounds: 3, benchmark: () => cacheJob }),
  reported({ name: httpJob.name, describe: httpJob.describe, rounds: 3, benchmark: () => httpJob }),
  {
    name: 'index [FOLDER...]',
    describe:
      'an index over HTML: size, build, queries, updates, compared with six other engines (--engines A,B)',
    run: benchIndex,
  },
  {
    name: 'million',
    describe: 'memory, start and queries under load of up to a million objects (--objects N, --seconds N)',
    run: benchMillion,
  },
  {
    name: 'views DIR',
    describe: '100,000 standing queries: memory, and time and queries evaluated for a change (--queries N)',
    run: benchViews,
  },
  reported({
    ...{ name: registryJob.name, describe: registryJob.describe, rounds: 5 },
    benchmark: () => registryJob,
  }),
  reported({
    ...{ name: federationJob.name, describe: federationJob.describe, rounds: 5 },
    benchmark: () => federationJob,
  }),
  {
    name: 'cascade',
    describe: 'seconds from a change at the provider to the third Broker of a cascade with filters',
    run: benchCascade,
  },
  reported({
    ...{ name: strangersJob.name, describe: strangersJob.describe, rounds: 3 },
    benchmark: () => strangersJob,
  }),
  reported({ name: traceJob.name, describe: traceJob.describe, rounds: 3, benchmark: () => traceJob }),
  reported({
    ...{ name: levelsOfCachesJob.name, describe: levelsOfCachesJob.describe, rounds: 3 },
    benchmark: () => levelsOfCachesJob,
  }),
  {
    name: 'languages [FOLDER]',
    describe:
      'search for known manual pages in other languages, with their own stems, English stems and none',
    run: benchLanguages,
  },
  {
    name: 'levels',
    describe: 'bytes and retrieval quality of terse, selected and full summaries',
    run: async (args) => {
      await benchLevels({
        json: args.includes('--json'),
        quick: args.includes('--quick'),
        write: args.includes('--write'),
      });
      return 0;
    },
  },
];

const usage = `npm run bench -- [name] [options]

${trials.map(({ name, describe }) => `  ${name.padEnd(14)} ${describe}`).join('\n')}

  --rounds N   rounds, each of which measures everything once; 5 when absent, 3 for gather and provider
  --quick      one round over fewer pages, to see that it works
  --json       the report as JSON on stdout
  --write      put the report into docs/performance.md
`;

async function main(argv: readonly string[]): Promise<number> {
  const named = argv[0]?.startsWith('-') === false;
  const name = named ? argv[0] : 'main';
  const trial = trials.find((one) => one.name.split(' ', 1)[0] === name);
  const done =
    trial === undefined ? `there is no benchmark ${name}` : await trial.run(argv.slice(named ? 1 : 0));
  if (typeof done === 'number') return done;
  process.stderr.write(`${done}\n\n${usage}`);
  return 2;
}

const [first = '', second = '', ...rest] = process.argv.slice(2);
if (first === 'probe' && second === 'local-files') runLocalFilesHere(rest);
else if (first === 'probe') await runProbeHere(second, rest);
else {
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  });
}
