// The cost of becoming aware of a change: every scheme that an object store can run, between two processes, in bytes
// on the wire, rounds, CPU and memory, compared with the minimum number of bytes that describe the change.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { schemeNamed } from '../../awareness/index.ts';
import { describeMachine } from '../harness/machine.ts';
import { canReadUsage } from '../harness/process-usage.ts';
import { markdown, plainText, type Report, writePerformance } from '../harness/report.ts';
import type { Row, Skipped } from '../harness/results.ts';
import { goalsOf } from './goals.ts';
import { type AwarenessRow, grid, kindNamed, usualChanges } from './grid.ts';
import { type Kind, kinds } from './objects.ts';
import { AwarenessPair } from './pair.ts';
import { awarenessMarkdown, awarenessText } from './print.ts';

/** The meaning of the figures, one sentence each. */
const input: readonly string[] = [
  'Input: minimal summaries under random handles; the client wants handles (16 B) and signatures (16 B), no bodies; one session for all runs of a size.',
  'Scattered: U inserts with handles anywhere; recent: U inserts whose handles lie in the last 16th of their order; mixed: U/2 updates in place, U/4 inserts, U/4 deletions.',
  'Bytes are both ways with WebSocket framing; the store’s signatures over its messages (70 B each) are not included and are listed separately.',
];

const usualSizes: readonly number[] = [10_000, 100_000, 1_000_000];

interface Chosen {
  readonly sizes: readonly number[];
  readonly changes: readonly number[];
  readonly kinds: readonly Kind[];
  /** All when absent. */
  readonly schemes: readonly string[] | undefined;
  /** Goals are measured with the whole grid, or when they are requested. */
  readonly goals: boolean;
  readonly json: boolean;
  readonly write: boolean;
}

/** Read the arguments; a string is the usage error. */
function understand(args: readonly string[]): Chosen | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        n: { type: 'string', multiple: true },
        u: { type: 'string', multiple: true },
        kind: { type: 'string', multiple: true },
        scheme: { type: 'string', multiple: true },
        goals: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    const sizes = values.n?.map(Number) ?? usualSizes;
    const changes = values.u?.map(Number) ?? usualChanges.filter((u) => u <= Math.min(...sizes));
    const named = values.kind?.map(kindNamed) ?? kinds;
    if (!sizes.every((n) => Number.isInteger(n) && n > 0)) return '--n takes a whole number from 1';
    if (!changes.every((u) => Number.isInteger(u) && u >= 0)) return '--u takes a whole number from 0';
    if (Math.max(...changes) > Math.min(...sizes)) return '--u is at most --n';
    if (!named.every((kind) => kind !== undefined)) return `--kind takes ${kinds.join(', ')}`;
    const unknown = values.scheme?.find((name) => schemeNamed(name) === undefined);
    if (unknown !== undefined) return `there is no scheme ${unknown}`;
    const whole = values.u === undefined && values.kind === undefined && values.scheme === undefined;
    const goals = whole || values.goals;
    const { json, write } = values;
    if (write && !(whole && values.n === undefined)) return '--write is for the whole grid';
    return { sizes, changes, kinds: named, schemes: values.scheme, goals, json, write };
  } catch (error) {
    return (error as Error).message;
  }
}

/** Measure and print the grid of `args`; resolves to the exit code, or to a usage error as a string. */
export async function benchAwareness(args: readonly string[]): Promise<number | string> {
  const chosen = understand(args);
  if (typeof chosen === 'string') return chosen;
  if (!canReadUsage()) return 'CPU time and memory are read from /proc, which this system lacks';
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const log = (line: string) => process.stderr.write(`  ${line}\n`);
  const before = loadavg()[0] as number;
  const date = new Date().toISOString();
  const started = performance.now();
  const rows: AwarenessRow[] = [];
  const goals: Row[] = [];
  const skipped: Skipped[] = [];
  const onSkip = (what: string, reason: string) => {
    if (skipped.some((one) => one.what === what)) return;
    skipped.push({ what, reason });
    log(`SKIPPED ${what}: ${reason}`);
  };
  for (const n of chosen.sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'garner-bench-'));
    try {
      await using pair = await AwarenessPair.open(folder, n, (step) => log(`N=${n}: ${step}`));
      const options = { n, onStep: log, signal: interrupt.signal };
      const measured = await grid(pair, { ...chosen, ...options, onSkip });
      rows.push(...measured);
      if (!chosen.json) process.stdout.write(awarenessText(n, measured));
      if (chosen.goals && n === Math.max(...chosen.sizes))
        goals.push(...(await goalsOf(pair, { ...options, rows: measured, folder })));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  if (chosen.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    if (!chosen.write) return 0;
  }
  const report: Report = {
    ...{ benchmark: 'awareness', command: ['npm run bench -- awareness', ...args].join(' '), date },
    ...{ rounds: 1, quick: false, seconds: (performance.now() - started) / 1000 },
    ...{ machine: describeMachine({}), load: [before, loadavg()[0] as number], input, rows: goals, skipped },
  };
  if (!chosen.json) process.stdout.write(`\n${plainText(report)}`);
  if (chosen.write) await writePerformance('awareness', `${markdown(report)}\n${awarenessMarkdown(rows)}`);
  return 0;
}
