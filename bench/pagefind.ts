import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endsWithUs } from './child.ts';
import type { Usage } from './exit-usage.ts';
import { packageFolder } from './machine.ts';
import { treePeakBytes } from './process-tree.ts';

export const pagefindProgram = join(packageFolder(), 'node_modules/.bin/pagefind');

/** Why pagefind cannot be run here, if so. */
export function pagefindAbsent(): string | undefined {
  if (!existsSync(pagefindProgram)) return 'SKIPPED, pagefind is not installed (npm install)';
  return existsSync('/bin/bash') ? undefined : 'SKIPPED, no bash here to time pagefind';
}

/** How often its memory is looked at, milliseconds. */
const lookMs = 20;
const keptOutput = 4000;

/** Index the HTML below `site` with pagefind. What it wrote to `folder` is deleted. */
export async function runPagefind(
  site: string,
  folder: string,
): Promise<Usage & { readonly seconds: number; readonly pages: number }> {
  const command = [pagefindProgram, '--site', site, '--output-path', join(folder, 'pagefind')];
  const started = performance.now();
  // Only a process that waited for another is told what that used: bash is, and prints it last.
  const child = spawn('/bin/bash', ['-c', 'TIMEFORMAT="CPU %U %S"; time "$@" 2>&1', 'bash', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', LC_ALL: 'C' },
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
  if (child.exitCode !== 0) throw new Error(`pagefind: exit ${child.exitCode}\n${output}${times}`);
  await rm(join(folder, 'pagefind'), { recursive: true, force: true });
  return { seconds, cpuSeconds: cpuTold(times), peakBytes, pages: pagesTold(output) };
}

/** CPU seconds in the line that bash prints. */
export function cpuTold(text: string): number {
  const match = /CPU (\d+\.\d+) (\d+\.\d+)\s*$/.exec(text);
  if (match === null) throw new TypeError(`bash told no CPU time: ${text}`);
  return Number(match[1]) + Number(match[2]);
}

/** How many pages pagefind says it indexed. */
export function pagesTold(output: string): number {
  const match = /Indexed (\d+) pages?/.exec(output);
  if (match === null) throw new TypeError(`pagefind told no number of pages: ${output}`);
  return Number(match[1]);
}
