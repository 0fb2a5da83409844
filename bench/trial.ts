import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './harness/harness.ts';
import { describeMachine } from './harness/machine.ts';
import { canReadUsage } from './harness/process-usage.ts';
import { hasPlace, markdown, plainText, type Report, writePerformance } from './harness/report.ts';

/** A command of `npm run bench -- NAME`. */
export interface Trial {
  readonly name: string;
  readonly describe: string;
  /** Resolves to the exit code, or to a usage error as a string. */
  readonly run: (args: readonly string[]) => Promise<number | string>;
}

/** The parsed arguments of a benchmark of figures. */
export interface Chosen {
  readonly benchmark: Benchmark;
  readonly rounds: number;
  readonly quick: boolean;
  readonly json: boolean;
  readonly write: boolean;
}

/** The parameters that make a trial of a benchmark of figures. */
export interface TrialOptions {
  readonly name: string;
  readonly describe: string;
  /** The required argument, such as `FOLDER`; absent: none. */
  readonly takes?: string;
  readonly rounds?: number;
  /** Makes the benchmark for the argument, which is `''` without `takes`. */
  readonly benchmark: (given: string) => Benchmark;
}

/** Read the arguments of a benchmark of figures; a string is the usage error. */
export function understand(options: TrialOptions, args: readonly string[]): Chosen | string {
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
    if (quick && write) return '--quick figures are not for the page: leave --write out';
    return { benchmark: options.benchmark(given), rounds, quick, json, write };
  } catch (error) {
    return (error as Error).message;
  }
}

async function reportOf(chosen: Chosen, command: string, signal: AbortSignal): Promise<Report> {
  const { benchmark, rounds, quick } = chosen;
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

async function runChosen(chosen: Chosen, command: string): Promise<number | string> {
  if (!canReadUsage()) {
    process.stderr.write('the benchmark reads CPU time and memory from /proc, which this system lacks\n');
    return 1;
  }
  // Checked before the measurement, not after it.
  if (chosen.write && !(await hasPlace(chosen.benchmark.name)))
    return `docs/performance.md has no place for ${chosen.benchmark.name}: leave --write out`;
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const report = await reportOf(chosen, command, interrupt.signal).catch((error: unknown) => {
    // An interrupted child may fail first; the reason is the interruption.
    if (!interrupt.signal.aborted) throw error;
    process.stderr.write('stopped; nothing was written\n');
    return undefined;
  });
  if (report === undefined) return 130;
  process.stdout.write(chosen.json ? `${JSON.stringify(report)}\n` : plainText(report));
  for (const { what, reason } of report.skipped) process.stderr.write(`${reason}: ${what}\n`);
  if (chosen.write) await writePerformance(report.benchmark, markdown(report));
  return 0;
}

/** A benchmark of figures as a trial: --rounds, --quick, --json and --write, and a report of all its figures. */
export function reported(options: TrialOptions): Trial {
  const { name, describe, takes } = options;
  return {
    name: takes === undefined ? name : `${name} ${takes}`,
    describe,
    run: async (args) => {
      const chosen = understand(options, args);
      if (typeof chosen === 'string') return chosen;
      return runChosen(chosen, ['npm run bench --', name, ...args].join(' '));
    },
  };
}
