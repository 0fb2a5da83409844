import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './harness/harness.ts';
import { describeMachine } from './harness/machine.ts';
import { hasPlace, writePerformance } from './harness/performance-page.ts';
import { canReadUsage } from './harness/process-usage.ts';
import { markdown, plainText, type Report } from './harness/report.ts';

/** Something that `npm run bench -- NAME` runs. */
export interface Trial {
  readonly name: string;
  readonly describe: string;
  /** Resolves to the exit code; a string is what is wrong with the arguments. */
  readonly run: (args: readonly string[]) => Promise<number | string>;
}

/** What a report is asked to be. */
export interface Asked {
  readonly benchmark: Benchmark;
  readonly rounds: number;
  readonly quick: boolean;
  readonly json: boolean;
  readonly write: boolean;
}

/** How a benchmark of figures becomes a trial. */
export interface TrialOptions {
  readonly name: string;
  readonly describe: string;
  /** What must stand beside the name, such as `FOLDER`; nothing when absent. */
  readonly takes?: string;
  readonly rounds?: number;
  /** Makes the benchmark for what was given, which is `''` where nothing is taken. */
  readonly benchmark: (given: string) => Benchmark;
}

/** Read the arguments of a benchmark of figures; a string says what is wrong with them. */
export function understand(options: TrialOptions, args: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    const { quick, json, write } = values;
    const [given = '', ...more] = positionals;
    if (options.takes === undefined ? given !== '' : more.length > 0) return 'one benchmark at a time';
    if (options.takes !== undefined && given === '') return `${options.name} takes a ${options.takes}`;
    const rounds = Number(values.rounds ?? (quick ? 1 : (options.rounds ?? 5)));
    if (!Number.isInteger(rounds) || rounds < 1) return '--rounds takes a whole number from 1';
    if (quick && write) return '--quick is not for figures that are kept: leave --write away';
    return { benchmark: options.benchmark(given), rounds, quick, json, write };
  } catch (error) {
    return (error as Error).message;
  }
}

async function reportOf(asked: Asked, command: string, signal: AbortSignal): Promise<Report> {
  const { benchmark, rounds, quick } = asked;
  const machine = describeMachine(benchmark.peers);
  const before = loadavg()[0] as number;
  const date = new Date().toISOString();
  const started = performance.now();
  const onStep = (step: string) => process.stderr.write(`  ${step}\n`);
  const measured = await benchmark.run({ rounds, quick, onStep, signal });
  const seconds = (performance.now() - started) / 1000;
  const load = [before, loadavg()[0] as number] as const;
  return { benchmark: benchmark.name, command, date, rounds, quick, seconds, machine, load, ...measured };
}

async function runAsked(asked: Asked, command: string): Promise<number | string> {
  if (!canReadUsage()) {
    process.stderr.write(
      'the benchmark reads CPU time and memory from /proc, which this system does not have\n',
    );
    return 1;
  }
  // Found out before anything is measured, not after.
  if (asked.write && !(await hasPlace(asked.benchmark.name)))
    return `docs/performance.md has no place for ${asked.benchmark.name}: leave --write away`;
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const report = await reportOf(asked, command, interrupt.signal).catch((error: unknown) => {
    // A child that was interrupted too fails first; what counts is why.
    if (!interrupt.signal.aborted) throw error;
    process.stderr.write('stopped; nothing was written\n');
    return undefined;
  });
  if (report === undefined) return 130;
  process.stdout.write(asked.json ? `${JSON.stringify(report)}\n` : plainText(report));
  for (const { what, reason } of report.skipped) process.stderr.write(`${reason}: ${what}\n`);
  if (asked.write) await writePerformance(report.benchmark, markdown(report));
  return 0;
}

/** A benchmark of figures as a trial: --rounds, --quick, --json and --write, and a report of all its figures. */
export function reported(options: TrialOptions): Trial {
  const { name, describe, takes } = options;
  return {
    name: takes === undefined ? name : `${name} ${takes}`,
    describe,
    run: async (args) => {
      const asked = understand(options, args);
      if (typeof asked === 'string') return asked;
      return runAsked(asked, ['npm run bench --', name, ...args].join(' '));
    },
  };
}
