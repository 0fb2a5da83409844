import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The suites by name: what `npm test` runs, what the checks run besides, and what is run by hand. */
export const suiteNames = ['fast', 'deep', 'long'] as const;
export type SuiteName = (typeof suiteNames)[number];

/** Tests that take more rounds in the long suite: a part of their path, and what their rounds are set by. */
export const longRuns: readonly (readonly [path: string, env: Readonly<Record<string, string>>])[] = [
  ['broker/engines/search/leaf-search', { GARNER_TEST_QUERIES: '10000' }],
  ['broker/engines/segmented/explanation', { GARNER_TEST_RUNS: '25' }],
  ['broker/engines/segmented/merged-index', { GARNER_TEST_ROUNDS: '100' }],
  ['broker/search-together/search-together', { GARNER_TEST_RUNS: '40' }],
  ['broker/service/collected-views', { GARNER_TEST_RUNS: '40' }],
  ['broker/views/change-batch', { GARNER_TEST_RUNS: '60' }],
  ['cache/doors/fast-lane/', { GARNER_TEST_REQUESTS: '1000000' }],
  ['cache/doors/lane-equality', { GARNER_TEST_REQUESTS: '20000' }],
  ['cache/doors/request-fuzz', { GARNER_TEST_REQUESTS: '20000' }],
  ['cache/peers/fuzz', { GARNER_TEST_DATAGRAMS: '1000000' }],
  ['cache/upstream/upstream-fuzz', { GARNER_TEST_RESPONSES: '20000' }],
  ['conformance', { GARNER_TEST_ROUNDS: '60', GARNER_TEST_QUERIES: '30' }],
  ['exchange/cuts', { GARNER_TEST_OBJECTS: '400' }],
  ['exchange/exchange', { GARNER_TEST_RUNS: '40' }],
  ['exchange/filter', { GARNER_TEST_RUNS: '60' }],
  ['exchange/fuzz', { GARNER_FUZZ_FRAMES: '100000' }],
  ['gatherer/condense/condense', { GARNER_TEST_RUNS: '300' }],
  ['gatherer/enumerate/folder/swapped-names', { GARNER_TEST_SWAPS: '100000' }],
  ['gatherer/pipeline/summary-maker', { GARNER_TEST_RUNS: '3000' }],
  ['gatherer/publish/published-urls', { GARNER_TEST_RUNS: '40' }],
  ['gatherer/publish/trusted-rows', { GARNER_TEST_RUNS: '30' }],
  ['gatherer/run/many-roots', { GARNER_TEST_RUNS: '30' }],
  ['gatherer/summarise/', { GARNER_TEST_DOCUMENTS: '60' }],
  ['query/matching/grammar-meaning', { GARNER_TEST_RUNS: '4000' }],
  ['query/matching/hostile-queries', { GARNER_TEST_QUERIES: '100000' }],
  ['query/matching/leaf-meaning', { GARNER_TEST_RUNS: '3000' }],
  ['query/regex/regex', { GARNER_TEST_QUERIES: '3000' }],
  ['readers/pdf/hostile', { GARNER_TEST_RUNS: '1500' }],
  ['store/filtered/standing-sets', { GARNER_TEST_RUNS: '80' }],
  ['store/sets/block-ordered-set', { GARNER_TEST_RUNS: '150' }],
  ['store/sets/set-summaries', { GARNER_FUZZ_RUNS: '2000' }],
  ['test/awareness/choice', { GARNER_TEST_CELLS: 'all' }],
  ['test/awareness/grid', { GARNER_TEST_CELLS: 'all' }],
  ['test/awareness/two-processes', { GARNER_AWARENESS_N: '200000' }],
  ['test/cases/churn', { GARNER_TEST_SECONDS: '600' }],
  ['test/cases/flips', { GARNER_TEST_FLIP_EVERY: '50' }],
  ['test/cache/hostile-origin', { GARNER_TEST_REQUESTS: '20000' }],
  ['test/cache/workers', { GARNER_TEST_CHANGES: '12' }],
  ['test/kill/', { GARNER_KILLS: '100' }],
];

/** Whether a test file tests the whole. These take longest. */
const isWhole = (file: string) => file.startsWith('test/');

/** The compiled test files below `built` whose source below `root` is still there, without the folder; the longest first. */
export function testFiles(built: string, root: string): string[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(join(root, file.replace(/\.js$/, '.ts'))))
    .sort((a, b) => Number(isWhole(b)) - Number(isWhole(a)) || (a < b ? -1 : 1));
}

/** Whether a test file belongs to the deep suite: it starts programs, fuzzes, kills, or takes seconds. */
export const isDeep = (file: string) => file.endsWith('.deep.test.js');

/** What the arguments of `npm test` ask for: suites (fast without any, all with words alone), and words of paths. */
export function requested(args: readonly string[]): {
  suites: ReadonlySet<SuiteName>;
  words: readonly string[];
} {
  const isSuite = (word: string): word is SuiteName => suiteNames.some((name) => name === word);
  const [suites, words] = [args.filter(isSuite), args.filter((word) => !isSuite(word))];
  if (suites.length > 0) return { suites: new Set(suites), words };
  return { suites: new Set(words.length > 0 ? (['fast', 'deep'] as const) : (['fast'] as const)), words };
}
