import { type ChildProcess, fork, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runProgram, type World } from '../cli/index.ts';
import type { Finished } from './commands/command.ts';
import { type HostReport, type HostRequest, program, textStream } from './docs-server-host.ts';

// The program as pages run it: servers in a process beside this one, other commands in this one, which is quicker.

/** The command of the same build as the test. */
export const garner = fileURLToPath(new URL('../cli/garner.js', import.meta.url));

/** Max time that a line of a page may take. */
const patienceMs = 60_000;

/** Where a command runs; nothing of this process's environment reaches garner. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A server that runs. */
export interface RunningServer {
  readonly ended: Promise<Finished>;
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  /** Resolves with what a pattern found in the standard output; throws when the server ends before. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Interrupt it as Ctrl-C does. */
  interrupt(): void;
}

/** What a pattern finds in the standard output of a server as soon as it is there. */
async function printedBy(
  heard: EventEmitter,
  stdout: () => string,
  ended: Promise<Finished>,
  pattern: RegExp,
): Promise<RegExpMatchArray> {
  const printed = new Promise<RegExpMatchArray>((resolve) => {
    const look = () => {
      const found = stdout().match(pattern);
      if (found !== null) resolve(found);
    };
    heard.on('report', look);
    look();
  });
  const first = await Promise.race([printed, ended]);
  if ('code' in first) throw new Error(`a server ended with ${first.code}:\n${first.stdout}${first.stderr}`);
  return first;
}

/** The process of the servers; dispose to end it. */
export class ServerHost implements AsyncDisposable {
  readonly #child: ChildProcess;
  #next = 0;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('./docs-server-host.js', import.meta.url)));
    this.#child.setMaxListeners(0);
  }

  #send(request: HostRequest): void {
    this.#child.send(request);
  }

  /** Start a server of garner. */
  start(argv: readonly string[], { cwd, env }: Place): RunningServer {
    const id = this.#next++;
    let [stdout, stderr] = ['', ''];
    const heard = new EventEmitter();
    const ended = new Promise<Finished>((resolve) => {
      const hear = (report: HostReport) => {
        if (report.id !== id) return;
        if (report.kind === 'stdout') stdout += report.text;
        else if (report.kind === 'stderr') stderr += report.text;
        else {
          this.#child.off('message', hear);
          resolve({ code: report.code, stdout, stderr });
        }
        heard.emit('report');
      };
      this.#child.on('message', hear);
    });
    this.#send({ kind: 'start', id, argv, cwd, env });
    return {
      ended,
      stdout: () => stdout,
      printed: (pattern) => printedBy(heard, () => stdout, ended, pattern),
      interrupt: () => this.#send({ kind: 'interrupt', id }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill();
    await closed;
  }
}

function spawned(command: string, args: readonly string[], { cwd, env }: Place) {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = new EventEmitter();
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard.emit('report');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Finished>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, heard, ended, stdout: () => stdout };
}

/** Run a program to its end, with nothing on its standard input. */
export async function runToEnd(command: string, args: readonly string[], place: Place): Promise<Finished> {
  const { child, ended } = spawned(command, args, place);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const finished = await ended;
  clearTimeout(timer);
  return finished;
}

/** Start a server of garner as a process: what Node.js reads at its start, it reads from this environment. */
export function startProcess(argv: readonly string[], place: Place): RunningServer {
  const { child, heard, ended, stdout } = spawned(process.execPath, [garner, ...argv], place);
  return {
    ended,
    stdout,
    printed: (pattern) => printedBy(heard, stdout, ended, pattern),
    interrupt: () => child.kill('SIGINT'),
  };
}

/** Run a command of garner in this process to its end. */
export async function runGarner(argv: readonly string[], { cwd, env }: Place): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  const interrupts = Object.assign(new EventEmitter(), { exit: () => {} });
  const world: World = {
    stdout: textStream((text) => {
      stdout += text;
    }),
    stderr: textStream((text) => {
      stderr += text;
    }),
    env: { NO_COLOR: '1', ...env },
    cwd,
    interrupts,
  };
  const timer = setTimeout(() => interrupts.emit('SIGINT', 'SIGINT'), patienceMs);
  const code = await runProgram(program, argv, world);
  clearTimeout(timer);
  return { code, stdout, stderr };
}
