import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { exitUsageModule, type Usage, usageVariable } from './exit-usage.ts';
import { cpuSecondsOf, memoryOf } from './process-usage.ts';

const built = join(import.meta.dirname, '../..');
const garner = join(built, 'cli/garner.js');
const benchmarks = join(built, 'bench/main.js');

/** Max characters of a child's output in its error message. */
const keptOutput = 4000;
const stopMs = 15_000;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** End the child with this process, however this process ends (except by SIGKILL). */
export function endsWithUs(child: ChildProcess): void {
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  child.once('close', () => process.off('exit', stop));
}

/** A Node child process with its output. */
class NodeChild {
  readonly process: Child;
  output = '';
  #complaints = '';

  constructor(args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', ...env },
    });
    endsWithUs(this.process);
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
    });
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-keptOutput);
    });
  }

  failed(what: string): Error {
    return new Error(`${what}: exit ${this.process.exitCode}\n${this.#complaints}`);
  }

  /** Its first line of output. */
  async firstLine(): Promise<string> {
    for (;;) {
      const end = this.output.indexOf('\n');
      if (end >= 0) return this.output.slice(0, end);
      await Promise.race([once(this.process.stdout, 'data'), once(this.process, 'close')]);
      if (this.process.exitCode !== null && !this.output.includes('\n'))
        throw this.failed('a server did not start');
    }
  }

  async ended(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'close');
  }
}

/** A Garner server in its own process. */
export class Server<Said> implements AsyncDisposable {
  readonly said: Said;
  readonly #child: NodeChild;

  private constructor(child: NodeChild, said: Said) {
    this.#child = child;
    this.said = said;
  }

  /** Run `garner ARGS --json` and wait for its ready line. */
  static async start<Said>(args: readonly string[], cwd: string): Promise<Server<Said>> {
    return Server.#started<Said>(new NodeChild([garner, ...args, '--json'], cwd));
  }

  /** The same for a probe of `main.ts`. */
  static async startProbe<Said>(name: string, args: readonly string[], cwd: string): Promise<Server<Said>> {
    return Server.#started<Said>(new NodeChild([benchmarks, 'probe', name, ...args], cwd));
  }

  static async #started<Said>(child: NodeChild): Promise<Server<Said>> {
    return new Server(child, JSON.parse(await child.firstLine()) as Said);
  }

  /** CPU seconds so far. */
  get cpuSeconds(): number {
    return cpuSecondsOf(this.pid);
  }

  get memory(): { readonly now: number; readonly peak: number } {
    return memoryOf(this.pid);
  }

  /** Throws an Error with its output when it has ended. */
  get pid(): number {
    const { pid, exitCode } = this.#child.process;
    if (pid === undefined || exitCode !== null) throw this.#child.failed('a server has ended');
    return pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { process: child } = this.#child;
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
    await this.#child.ended();
    clearTimeout(late);
  }
}

/** A command that has ended: its JSON result, its usage, and its time from start to end. */
export interface Ended<Said> extends Usage {
  readonly said: Said;
  readonly seconds: number;
}

async function ended<Said>(child: NodeChild, what: string): Promise<Said> {
  await child.ended();
  if (child.process.exitCode !== 0) throw child.failed(what);
  return (child.output.trim() === '' ? undefined : JSON.parse(child.output)) as Said;
}

/** Run `garner ARGS --json` to its end. */
export async function runGarner<Said>(args: readonly string[], cwd: string): Promise<Ended<Said>> {
  const usageFile = join(cwd, 'usage.json');
  const started = performance.now();
  const child = new NodeChild(['--import', exitUsageModule, garner, ...args, '--json'], cwd, {
    [usageVariable]: usageFile,
  });
  const said = await ended<Said>(child, `garner ${args.join(' ')}`);
  const seconds = (performance.now() - started) / 1000;
  const usage = JSON.parse(await readFile(usageFile, 'utf8')) as Usage;
  await rm(usageFile);
  return { said, seconds, ...usage };
}

/** Run a probe of `main.ts` in its own process, and return its result. */
export async function runProbe<Said>(name: string, args: readonly string[], cwd: string): Promise<Said> {
  return ended<Said>(new NodeChild([benchmarks, 'probe', name, ...args], cwd), `probe ${name}`);
}

/** Seconds from start to end of an idle Node process. */
export async function bareNodeSeconds(cwd: string): Promise<number> {
  const started = performance.now();
  await ended<undefined>(new NodeChild(['--eval', '0'], cwd), 'node');
  return (performance.now() - started) / 1000;
}
