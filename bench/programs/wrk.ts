import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../harness/machine.ts';

/** The program that sends the requests. */
export const wrkProgram = '/usr/bin/wrk';
const taskset = '/usr/bin/taskset';

/** One core for the server, another for the client. */
const [serverCore, clientCore] = ['0', '1'];
const usualConnections = 16;
/** A Broker that has just started is slow to answer; its start-up counts. */
const maxSeconds = 30;

/** The reason why wrk cannot run here, or undefined. */
export function wrkAbsent(): string | undefined {
  if (!existsSync(wrkProgram)) return 'SKIPPED, wrk is not installed (apt-get install wrk)';
  if (!existsSync(taskset))
    return 'SKIPPED, taskset is not installed, which gives server and client a core each';
  return availableParallelism() > 1 ? undefined : 'SKIPPED, there is only one core';
}

/** Keep a process with all its threads on one core. */
export function keepOnServerCore(pid: number): void {
  keepOn(serverCore, pid);
}

/** The same for a server behind the measured one, on the client's core. */
export function keepOnClientCore(pid: number): void {
  keepOn(clientCore, pid);
}

function keepOn(core: string, pid: number): void {
  const { status, stderr } = spawnSync(taskset, ['-a', '-c', '-p', core, String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

/** The counts of wrk; p50, p95 and p99 in milliseconds. */
export interface WrkCounted {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export interface WrkOptions {
  readonly seconds: number;
  readonly folder: string;
  readonly connections?: number;
}

/**
 * Request paths of a server in a loop over persistent connections. Throws an Error when an answer is missing or not
 * 200.
 */
export async function askWithWrk(
  server: string,
  paths: readonly string[],
  options: WrkOptions,
): Promise<WrkCounted> {
  const file = join(options.folder, 'paths.txt');
  await writeFile(file, `${paths.join('\n')}\n`);
  return runWrk(server, [file], options);
}

/** Request one URL repeatedly over persistent connections. Throws as `askWithWrk` does. */
export function askOneWithWrk(url: string, options: WrkOptions): Promise<WrkCounted> {
  return runWrk(url, [], options);
}

async function runWrk(
  url: string,
  paths: readonly string[],
  { seconds, connections = usualConnections }: WrkOptions,
): Promise<WrkCounted> {
  const script = join(packageFolder(), 'bench/wrk-paths.lua');
  const { stdout } = await promisify(execFile)(taskset, [
    ...['-c', clientCore, wrkProgram, '-t', '1', '-c', String(connections), '-d', `${seconds}s`],
    ...['--timeout', `${maxSeconds}s`],
    ...['-s', script, url, '--', ...paths],
  ]);
  const { failed, ...counted } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as WrkCounted & {
    readonly failed: number;
  };
  if (failed > 0 || counted.requests === 0) throw new Error(`wrk: ${failed} failed\n${stdout}`);
  return counted;
}
