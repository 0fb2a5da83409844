// Benchmarks: npm run bench -- [name] [--rounds N] [--quick] [--json] [--write]. A benchmark is a table of figures
// (main-figures.ts) and stages that fill it in rounds (harness.ts); parts that must not share a process are probes.
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Benchmark } from './harness.ts';
import { describeMachine, packageFolder } from './machine.ts';
import { mainJob } from './main-job.ts';
import { runProbeHere } from './probes.ts';
import { canReadUsage } from './process-usage.ts';
import { markdown, plainText, type Report, replaceMarked } from './report.ts';

const benchmarks: readonly Benchmark[] = [mainJob];
const performanceFile = join(packageFolder(), 'docs/performance.md');

const usage = `npm run bench -- [name] [options]

${benchmarks.map(({ name, describe }) => `  ${name.padEnd(10)} ${describe}`).join('\n')}

  --rounds N   rounds, each of which measures everything once; 5 when absent
  --quick      one round over fewer pages, to see that it works
  --json       the report as JSON on stdout
  --write      put the report into docs/performance.md
`;

interface Asked {
  readonly benchmark: Benchmark;
  readonly rounds: number;
  readonly quick: boolean;
  readonly json: boolean;
  readonly write: boolean;
}

function understand(argv: readonly string[]): Asked | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        quick: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    });
    const { quick, json, write } = values;
    const [name = 'main', ...more] = positionals;
    const benchmark = benchmarks.find((one) => one.name === name);
    if (benchmark === undefined) return `there is no benchmark ${name}`;
    if (more.length > 0) return 'one benchmark at a time';
    const rounds = Number(values.rounds ?? (quick ? 1 : 5));
    if (!Number.isInteger(rounds) || rounds < 1) return '--rounds takes a whole number from 1';
    if (quick && write) return '--quick is not for figures that are kept: leave --write away';
    return { benchmark, rounds, quick, json, write };
  } catch (error) {
    return (error as Error).message;
  }
}

async function run(asked: Asked, argv: readonly string[], signal: AbortSignal): Promise<Report> {
  const { benchmark, rounds, quick } = asked;
  const machine = describeMachine(benchmark.peers);
  const before = loadavg()[0] as number;
  const date = new Date().toISOString();
  const started = performance.now();
  const onStep = (step: string) => process.stderr.write(`  ${step}\n`);
  const measured = await benchmark.run({ rounds, quick, onStep, signal });
  const seconds = (performance.now() - started) / 1000;
  const load = [before, loadavg()[0] as number] as const;
  const command = ['npm run bench', ...(argv.length > 0 ? ['--', ...argv] : [])].join(' ');
  return { benchmark: benchmark.name, command, date, rounds, quick, seconds, machine, load, ...measured };
}

async function main(argv: readonly string[]): Promise<number> {
  const asked = understand(argv);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n\n${usage}`);
    return 2;
  }
  if (!canReadUsage()) {
    process.stderr.write(
      'the benchmark reads CPU time and memory from /proc, which this system does not have\n',
    );
    return 1;
  }
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupt.abort(new Error(`stopped by ${signal}`)));
  const report = await run(asked, argv, interrupt.signal).catch((error: unknown) => {
    // A child that was interrupted too fails first; what counts is why.
    if (!interrupt.signal.aborted) throw error;
    process.stderr.write('stopped; nothing was written\n');
    return undefined;
  });
  if (report === undefined) return 130;
  process.stdout.write(asked.json ? `${JSON.stringify(report)}\n` : plainText(report));
  for (const { what, reason } of report.skipped) process.stderr.write(`${reason}: ${what}\n`);
  if (asked.write) {
    const text = await readFile(performanceFile, 'utf8');
    await writeFile(performanceFile, replaceMarked(text, report.benchmark, markdown(report)));
  }
  return 0;
}

const [first = '', second = '', ...rest] = process.argv.slice(2);
if (first === 'probe') await runProbeHere(second, rest);
else {
  process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return 1;
  });
}
