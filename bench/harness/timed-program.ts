import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endsWithUs } from './child.ts';
import type { Usage } from './exit-usage.ts';
import { treePeakBytes } from './process-tree.ts';

/** Interval at which a program's memory is read, milliseconds. */
const lookMs = 20;
const keptOutput = 4000;

/** A program that has succeeded: the end of its output, its usage and its duration. */
export interface TimedProgram extends Usage {
  readonly output: string;
  readonly seconds: number;
}

/** The shell that times a program; it must be installed. */
export const timingShell = '/bin/bash';

/** Run a program to its end, and measure it and its children. Throws an Error with its output when it fails. */
export async function runTimed(
  [program = '', ...args]: readonly string[],
  { cwd }: { readonly cwd?: string } = {},
): Promise<TimedProgram> {
  const started = performance.now();
  // Only a parent that waits for a process gets its usage: bash is that parent, and prints the usage last.
  const script = 'TIMEFORMAT="CPU %U %S"; time "$@" 2>&1';
  const child = spawn(timingShell, ['-c', script, 'bash', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', LC_ALL: 'C' },
    ...(cwd === undefined ? {} : { cwd }),
  });
  endsWithUs(child);
  let [output, times, peakBytes] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-keptOutput);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    times = (times + text).slice(-keptOutput);
  });
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, treePeakBytes(child.pid as number));
  }, lookMs);
  await once(child, 'close');
  clearInterval(look);
  const seconds = (performance.now() - started) / 1000;
  if (child.exitCode !== 0) throw new Error(`${program}: exit ${child.exitCode}\n${output}${times}`);
  return { seconds, cpuSeconds: cpuReported(times), peakBytes, output };
}

/** CPU seconds in the line that bash prints. */
export function cpuReported(text: string): number {
  const match = /CPU (\d+\.\d+) (\d+\.\d+)\s*$/.exec(text);
  if (match === null) throw new TypeError(`bash printed no CPU time: ${text}`);
  return Number(match[1]) + Number(match[2]);
}
