// What becoming aware of a change costs: every scheme that an object store can run, between two processes, in bytes on
// the wire, rounds, CPU and memory, beside the fewest bytes that can tell it.
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { schemeNamed } from '../../awareness/index.ts';
import { describeMachine } from '../harness/machine.ts';
import { writePerformance } from '../harness/performance-page.ts';
import { canReadUsage } from '../harness/process-usage.ts';
import { markdown, plainText, type Report } from '../harness/report.ts';
import type { Row, Skipped } from '../harness/results.ts';
import { goalsOf } from './goals.ts';
import { type AwarenessRow, grid, kindNamed, usualChanges } from './grid.ts';
import { type Kind, kinds } from './objects.ts';
import { AwarenessPair } from './pair.ts';
import { awarenessMarkdown, awarenessText } from './print.ts';

/** What the figures mean, one sentence each. */
const input: readonly string[] = [
  'Input: minimal summaries under random handles; the client wants handles (16 B) and signatures (16 B), no bodies; one session for all runs of a size.',
  'Scattered: U inserts with handles anywhere; recent: U inserts whose handles lie in the last 16th of their order; mixed: U/2 updates in place, U/4 inserts, U/4 deletions.',
  'Bytes are both ways with WebSocket framing; the store’s signatures over its messages (70 B each) are not included and are listed separately.',
];

const usualSizes: readonly number[] = [10_000, 100_000, 1_000_000];

interface Asked {
  readonly sizes: readonly number[];
  readonly changes: readonly number[];
  readonly kinds: readonly Kind[];
  /** All when absent. */
  readonly schemes: readonly string[] | undefined;
  /** Goals are measured with the whole grid, or where they are asked for. */
  readonly goals: boolean;
  readonly json: boolean;
  readonly write: boolean;
}

/** Read the arguments; a string says what is wrong with them. */
function understand(args: readonly string[]): Asked | string {
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

/** Measure and print the grid of `args`; resolves to the exit code, a string is what is wrong with the arguments. */
export async function benchAwareness(args: readonly string[]): Promise<number | string> {
  const asked = understand(args);
  if (typeof asked === 'string') return asked;
  if (!canReadUsage()) return 'CPU time and memory are read from /proc, which this system does not have';
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const tell = (line: string) => process.stderr.write(`  ${line}\n`);
  const before = loadavg()[0] as number;
  const date = new Date().toISOString();
  const started = performance.now();
  const rows: AwarenessRow[] = [];
  const goals: Row[] = [];
  const skipped: Skipped[] = [];
  const onSkip = (what: string, reason: string) => {
    if (skipped.some((one) => one.what === what)) return;
    skipped.push({ what, reason });
    tell(`SKIPPED ${what}: ${reason}`);
  };
  for (const n of asked.sizes) {
    const folder = await mkdtemp(join(tmpdir(), 'garner-bench-'));
    try {
      await using pair = await AwarenessPair.open(folder, n, (step) => tell(`N=${n}: ${step}`));
      const options = { n, onStep: tell, signal: interrupt.signal };
      const measured = await grid(pair, { ...asked, ...options, onSkip });
      rows.push(...measured);
      if (!asked.json) process.stdout.write(awarenessText(n, measured));
      if (asked.goals && n === Math.max(...asked.sizes))
        goals.push(...(await goalsOf(pair, { ...options, rows: measured, folder })));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  if (asked.json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`);
    if (!asked.write) return 0;
  }
  const report: Report = {
    ...{ benchmark: 'awareness', command: ['npm run bench -- awareness', ...args].join(' '), date },
    ...{ rounds: 1, quick: false, seconds: (performance.now() - started) / 1000 },
    ...{ machine: describeMachine({}), load: [before, loadavg()[0] as number], input, rows: goals, skipped },
  };
  if (!asked.json) process.stdout.write(`\n${plainText(report)}`);
  if (asked.write) await writePerformance('awareness', `${markdown(report)}\n${awarenessMarkdown(rows)}`);
  return 0;
}
