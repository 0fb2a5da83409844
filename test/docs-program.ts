import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runProgram, type World } from '../cli/index.ts';
import type { Finished } from './command.ts';
import { program } from './generated-docs.ts';

// The program as pages run it: servers in processes of their own, other commands in this process, which is quicker.

/** The command of the same build as the test. */
export const garner = fileURLToPath(new URL('../cli/garner.js', import.meta.url));

/** Longest time a line of a page may take. */
export const patienceMs = 60_000;

/** Where a command runs; nothing of this process's environment reaches it but PATH. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A program that runs. */
export interface RunningProgram {
  readonly ended: Promise<Finished>;
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  /** Resolves with what a pattern found in the standard output; throws when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Interrupt it as Ctrl-C does. */
  interrupt(): void;
}

/** Start a program with nothing on its standard input. One that a line waits for is killed after a minute. */
export function startProgram(command: string, args: readonly string[], { cwd, env }: Place): RunningProgram {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  const written = new EventEmitter();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    written.emit('text');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Finished>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return {
    ended,
    stdout: () => stdout,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = stdout.match(pattern);
          if (found !== null) resolve(found);
        };
        written.on('text', look);
        ended.then(({ code }) =>
          reject(new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${stdout}${stderr}`)),
        );
        look();
      }),
    interrupt: () => child.kill('SIGINT'),
  };
}

/** Start a server of garner. */
export const startGarner = (argv: readonly string[], place: Place): RunningProgram =>
  startProgram(process.execPath, [garner, ...argv], place);

/** Run a program to its end. */
export async function runToEnd(command: string, args: readonly string[], place: Place): Promise<Finished> {
  const running = startProgram(command, args, place);
  const timer = setTimeout(() => running.interrupt(), patienceMs);
  const finished = await running.ended;
  clearTimeout(timer);
  return finished;
}

/** Run a command of garner in this process to its end. */
export async function runGarner(argv: readonly string[], { cwd, env }: Place): Promise<Finished> {
  let [stdout, stderr] = ['', ''];
  const stream = (keep: (text: string) => void) =>
    Object.assign(new EventEmitter(), {
      columns: 110,
      write: (text: string, done?: (error?: Error | null) => void) => {
        keep(text);
        done?.();
        return true;
      },
    });
  const interrupts = Object.assign(new EventEmitter(), { exit: () => {} });
  const world: World = {
    stdout: stream((text) => {
      stdout += text;
    }),
    stderr: stream((text) => {
      stderr += text;
    }),
    env: { NO_COLOR: '1', ...env },
    cwd,
    interrupts,
  };
  const timer = setTimeout(() => interrupts.emit('SIGINT', 'SIGINT'), patienceMs);
  const code = await runProgram(program(), argv, world);
  clearTimeout(timer);
  return { code, stdout, stderr };
}
