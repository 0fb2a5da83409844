import type { Figure } from '../harness/results.ts';

const repeated = 'The same 200 queries again and again, over 16 kept connections';
const distinct = 'Queries of two words, none of them twice, over 16 kept connections';

/** What `http` measures. */
export const httpFigures = {
  repeatedRate: { section: repeated, what: 'queries a second', unit: 'queries/s', goal: { atLeast: 5000 } },
  repeatedCpu: { section: repeated, what: 'CPU of the server for a query', unit: 'ms' },
  repeated50: { section: repeated, what: 'time of an answer, p50', unit: 'ms' },
  repeated95: { section: repeated, what: 'time of an answer, p95', unit: 'ms' },
  repeatedBytes: { section: repeated, what: 'bytes of an answer, headers included', unit: 'B' },
  distinctRate: { section: distinct, what: 'queries a second', unit: 'queries/s', goal: { atLeast: 1500 } },
  distinctCpu: { section: distinct, what: 'CPU of the server for a query', unit: 'ms' },
  distinct50: { section: distinct, what: 'time of an answer, p50', unit: 'ms' },
  distinct95: { section: distinct, what: 'time of an answer, p95', unit: 'ms' },
  distinctBytes: { section: distinct, what: 'bytes of an answer, headers included', unit: 'B' },
} as const satisfies Record<string, Figure>;

export type HttpFigure = keyof typeof httpFigures;
