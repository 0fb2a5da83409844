import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from './machine.ts';

/** The program that asks. */
export const wrkProgram = '/usr/bin/wrk';
const taskset = '/usr/bin/taskset';

/** The server has one core, who asks has another. */
const [serverCore, clientCore] = ['0', '1'];
const connections = 16;
/** A Broker that was just started takes its time; what it takes counts. */
const longestSeconds = 30;

/** Why a server cannot be asked by wrk here, if so. */
export function wrkAbsent(): string | undefined {
  if (!existsSync(wrkProgram)) return 'SKIPPED, wrk is not installed (apt-get install wrk)';
  if (!existsSync(taskset)) return 'SKIPPED, taskset is not here to give server and client a core each';
  return availableParallelism() > 1 ? undefined : 'SKIPPED, there is one core only';
}

/** Keep a process with all its threads on one core. */
export function keepOnServerCore(pid: number): void {
  const { status, stderr } = spawnSync(taskset, ['-a', '-c', '-p', serverCore, String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

/** What wrk counted; p50 and p95 in milliseconds. */
export interface WrkCounted {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p95: number;
}

/**
 * Ask paths of a server one after another over kept connections, from the first again after the last. Throws an Error
 * when an answer is missing or not 200.
 */
export async function askWithWrk(
  server: string,
  paths: readonly string[],
  { seconds, folder }: { readonly seconds: number; readonly folder: string },
): Promise<WrkCounted> {
  const file = join(folder, 'paths.txt');
  await writeFile(file, `${paths.join('\n')}\n`);
  const script = join(packageFolder(), 'bench/wrk-paths.lua');
  const { stdout } = await promisify(execFile)(taskset, [
    ...['-c', clientCore, wrkProgram, '-t', '1', '-c', String(connections), '-d', `${seconds}s`],
    ...['--timeout', `${longestSeconds}s`],
    ...['-s', script, server, '--', file],
  ]);
  const { failed, ...counted } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as WrkCounted & {
    readonly failed: number;
  };
  if (failed > 0 || counted.requests === 0) throw new Error(`wrk: ${failed} failed\n${stdout}`);
  return counted;
}
