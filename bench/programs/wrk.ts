import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFolder } from '../harness/machine.ts';

/** The program that asks. */
export const wrkProgram = '/usr/bin/wrk';
const taskset = '/usr/bin/taskset';

/** The server has one core, who asks has another. */
const [serverCore, clientCore] = ['0', '1'];
const usualConnections = 16;
/** A Broker that was just started takes its time; what it takes counts. */
const maxSeconds = 30;

/** Why a server cannot be asked by wrk here, if so. */
export function wrkAbsent(): string | undefined {
  if (!existsSync(wrkProgram)) return 'SKIPPED, wrk is not installed (apt-get install wrk)';
  if (!existsSync(taskset)) return 'SKIPPED, taskset is not here to give server and client a core each';
  return availableParallelism() > 1 ? undefined : 'SKIPPED, there is one core only';
}

/** Keep a process with all its threads on one core. */
export function keepOnServerCore(pid: number): void {
  keepOn(serverCore, pid);
}

/** The same for what stands behind the server, beside who asks. */
export function keepOnClientCore(pid: number): void {
  keepOn(clientCore, pid);
}

function keepOn(core: string, pid: number): void {
  const { status, stderr } = spawnSync(taskset, ['-a', '-c', '-p', core, String(pid)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

/** What wrk counted; p50, p95 and p99 in milliseconds. */
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
 * Ask paths of a server one after another over kept connections, from the first again after the last. Throws an Error
 * when an answer is missing or not 200.
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

/** Ask one URL again and again over kept connections. Throws as `askWithWrk` does. */
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
