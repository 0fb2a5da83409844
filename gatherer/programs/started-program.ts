import { type ChildProcess, spawn } from 'node:child_process';
import { Writable } from 'node:stream';
import { defineEvent } from '../../kernel/index.ts';

/** Limits that the operating system holds a program to. */
export interface SystemLimits {
  /** CPU time. */
  readonly seconds?: number;
  /** Address space. */
  readonly memoryBytes?: number;
  /** Size of a file that the program writes. */
  readonly fileBytes?: number;
  readonly openFiles?: number;
}

export interface ProgramStart {
  /** The program and its arguments; a shell does not interpret them. */
  readonly command: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Descriptor of an open file that is the standard input; a pipe when absent. */
  readonly stdin?: number;
  readonly limits?: SystemLimits;
  /** Ends the program when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How a program ended. */
export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly killedBy: NodeJS.Signals | null;
  /** The program could not be started. */
  readonly error?: Error;
}

/** A program was started in a process group, or has ended. Covers those of worker threads. */
export interface ProgramGroup {
  readonly group: number;
  readonly running: boolean;
}

export const programGroup = defineEvent<ProgramGroup>('garner:gatherer:program');

/** End a program and all its children. */
export function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}

function groupRuns(group: number | undefined): boolean {
  try {
    return group !== undefined && process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const maxComplaint = 8000;

/** A program in a process group of its own: disposing ends it with all its children. */
export class StartedProgram implements Disposable {
  /** Standard input; discards everything when it is a file. */
  readonly input: Writable;
  /** Resolves when the program has ended and its output is closed; never rejects. */
  readonly ended: Promise<ProgramEnd>;
  readonly #child: ChildProcess;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this[Symbol.dispose]();
  #complaint = '';
  #closed = false;
  /** No process of the group is known to run: its number may be used again. */
  #groupEnded = false;

  constructor({ command, env, cwd, stdin, limits, signal }: ProgramStart) {
    signal?.throwIfAborted();
    const [program = '', ...args] = limits === undefined ? command : limited(command, limits);
    this.#child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env,
      detached: true,
      stdio: [stdin ?? 'pipe', 'pipe', 'pipe'],
    });
    const group = this.#child.pid;
    if (group !== undefined) programGroup.publish({ group, running: true });
    this.input = this.#child.stdin ?? new Writable({ write: (_chunk, _encoding, done) => done() });
    // A program may end before it has read everything; its exit status says how it went.
    this.input.on('error', () => undefined);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-maxComplaint);
    });
    this.ended = new Promise((resolve) => {
      const end = (result: ProgramEnd) => {
        this.#closed = true;
        this.#endOfGroup();
        signal?.removeEventListener('abort', this.#abort);
        resolve(result);
      };
      this.#child.once('error', (error) => end({ exitCode: null, killedBy: null, error }));
      // The number of a group is free once its last process has ended, which may be long before the output is read.
      this.#child.once('exit', () => {
        if (!groupRuns(this.#child.pid)) this.#endOfGroup();
      });
      this.#child.once('close', (exitCode, killedBy) => end({ exitCode, killedBy }));
    });
    this.#signal = signal;
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** The end of the text on standard error, at most 8000 characters. */
  get complaint(): string {
    return this.#complaint;
  }

  /** Standard output in chunks. A broken pipe ends it: `ended` says why. */
  async *output(): AsyncGenerator<Uint8Array> {
    try {
      // There is no stream when the system has no room for another program.
      for await (const chunk of this.#child.stdout ?? []) yield chunk as Uint8Array;
    } catch {
      // `ended` has the reason.
    }
  }

  #endOfGroup(): void {
    const { pid } = this.#child;
    if (!this.#groupEnded && pid !== undefined) programGroup.publish({ group: pid, running: false });
    this.#groupEnded = true;
  }

  [Symbol.dispose](): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    // After the program has ended, its children may still hold the output.
    if (this.#child.pid === undefined || this.#closed) return;
    if (!this.#groupEnded) endGroup(this.#child.pid);
    // A child that left the group may hold the output too.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}

// The shell limits itself and then becomes the program. A limit that the system refuses is left out.
function limited(command: readonly string[], limits: SystemLimits): readonly string[] {
  const { seconds, memoryBytes, fileBytes, openFiles } = limits;
  const values: readonly (readonly [option: string, value: number | undefined])[] = [
    ['-c', 0],
    ['-v', memoryBytes && memoryBytes / 1024],
    ['-t', seconds],
    ['-f', fileBytes && fileBytes / 512],
    ['-n', openFiles],
  ];
  const lines = values.flatMap(([option, value]) =>
    value === undefined ? [] : [`ulimit ${option} ${Math.ceil(value)} 2>/dev/null`],
  );
  return ['/bin/sh', '-c', `${lines.join('; ')}; exec "$@"`, 'sh', ...command];
}
