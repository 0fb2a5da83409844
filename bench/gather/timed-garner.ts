import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { endsWithUs } from '../harness/child.ts';
import { exitUsageModule, type Usage, usageVariable } from '../harness/exit-usage.ts';
import { wholeCpuSecondsOf } from '../harness/process-tree.ts';
import { memoryOf } from '../harness/process-usage.ts';

const garner = join(import.meta.dirname, '../../cli/garner.js');

/** Exit code: finished, but some pages could not be read. */
const someUnread = 3;
const keptComplaints = 4000;

/** The JSON result of a command, and its resource usage until then. */
export interface Timed<Said> extends Usage {
  readonly said: Said;
  readonly seconds: number;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

function start(args: readonly string[], cwd: string, before: readonly string[], env: Record<string, string>) {
  const child: Child = spawn(process.execPath, [...before, garner, ...args, '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env },
  });
  endsWithUs(child);
  const heard = { complaints: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    heard.complaints = (heard.complaints + text).slice(-keptComplaints);
  });
  child.stdout.setEncoding('utf8');
  return { child, heard };
}

/** Run `garner ARGS --json` to its end; unreadable pages are no failure. */
export async function runTolerant<Said>(args: readonly string[], cwd: string): Promise<Timed<Said>> {
  const usageFile = join(cwd, 'usage.json');
  const started = performance.now();
  const variables = { [usageVariable]: usageFile };
  const { child, heard } = start(args, cwd, ['--import', exitUsageModule], variables);
  let output = '';
  child.stdout.on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  const seconds = (performance.now() - started) / 1000;
  if (child.exitCode !== 0 && child.exitCode !== someUnread)
    throw new Error(`garner ${args.join(' ')}: exit ${child.exitCode}\n${heard.complaints}`);
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as Usage;
  await rm(usageFile);
  return { said: JSON.parse(output) as Said, seconds, ...usage };
}

/** Run `garner ARGS --json` until its first line, record its usage so far, and end it. */
export async function runToFirstLine<Said>(args: readonly string[], cwd: string): Promise<Timed<Said>> {
  const started = performance.now();
  const { child, heard } = start(args, cwd, [], {});
  const closed = once(child, 'close');
  let output = '';
  while (!output.includes('\n')) {
    const chunk = await Promise.race([once(child.stdout, 'data'), closed.then(() => undefined)]);
    if (chunk === undefined)
      throw new Error(`garner ${args.join(' ')}: exit ${child.exitCode}\n${heard.complaints}`);
    output += String(chunk[0]);
  }
  const seconds = (performance.now() - started) / 1000;
  const pid = child.pid as number;
  const usage = { cpuSeconds: wholeCpuSecondsOf(pid), peakBytes: memoryOf(pid).peak };
  child.kill('SIGTERM');
  await closed;
  return { said: JSON.parse(output.slice(0, output.indexOf('\n'))) as Said, seconds, ...usage };
}
