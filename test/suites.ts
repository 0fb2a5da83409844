import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The suites by name: what `npm test` runs, what the checks run besides, and what is run by hand. */
export const suiteNames = ['fast', 'deep', 'long'] as const;
export type SuiteName = (typeof suiteNames)[number];

/** Tests that take more rounds in the long suite: a part of their path, and what their rounds are set by. */
export const longRuns: readonly (readonly [path: string, env: Readonly<Record<string, string>>])[] = [
  ['cache/doors/fast-lane/', { GARNER_TEST_REQUESTS: '1000000' }],
  ['cache/doors/lane-equality', { GARNER_TEST_REQUESTS: '20000' }],
  ['cache/doors/request-fuzz', { GARNER_TEST_REQUESTS: '20000' }],
  ['cache/peers/fuzz', { GARNER_TEST_DATAGRAMS: '1000000' }],
  ['cache/upstream/upstream-fuzz', { GARNER_TEST_RESPONSES: '20000' }],
  ['conformance', { GARNER_TEST_ROUNDS: '60' }],
  ['exchange/fuzz', { GARNER_FUZZ_FRAMES: '100000' }],
  ['query/matching/hostile-queries', { GARNER_TEST_QUERIES: '100000' }],
  ['store/sets/set-summaries', { GARNER_FUZZ_RUNS: '2000' }],
  ['test/awareness/choice', { GARNER_TEST_CELLS: 'all' }],
  ['test/awareness/grid', { GARNER_TEST_CELLS: 'all' }],
  ['test/awareness/two-processes', { GARNER_AWARENESS_N: '200000' }],
  ['test/cache/hostile-origin', { GARNER_TEST_REQUESTS: '20000' }],
  ['test/cache/workers', { GARNER_TEST_CHANGES: '12' }],
  ['test/kill/', { GARNER_KILLS: '100' }],
];

/** The compiled test files below `built` whose source below `root` is still there, without the folder, sorted. */
export function testFiles(built: string, root: string): string[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.js'))
    .filter((file) => existsSync(join(root, file.replace(/\.js$/, '.ts'))))
    .sort();
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
