import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { IdleTimer } from '../../../fetch/index.ts';
import { type Clock, failure, type GarnerError } from '../../../kernel/index.ts';
import { rootErrors } from '../root-errors.ts';
import { ByteReader } from './byte-reader.ts';

export interface ChildProgramOptions {
  /** The program and its arguments; no shell sees them. */
  readonly command: readonly string[];
  readonly cwd?: string;
  /** The whole environment; PATH, HOME and the locale of this process when absent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Longest time without a byte of output, 60 s when absent. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** The error for a program that fails, when it is another than GATHERER_PROGRAM. */
  readonly fault?: (why: string, cause?: unknown) => GarnerError;
}

const keptStderr = 2048;

/** A program that runs for as long as its output is wanted; disposing ends it with all its children. */
export class ChildProgram implements AsyncDisposable {
  /** Its standard output. */
  readonly output: ByteReader;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #fault: (why: string, cause?: unknown) => GarnerError;
  readonly #timer: IdleTimer;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.#kill();
  #stderr = '';
  #late = false;
  #failed: Error | undefined;
  readonly #closed: Promise<void>;

  constructor(options: ChildProgramOptions) {
    const { command, cwd, env = plainEnvironment(), clock, silenceMs = 60_000, signal } = options;
    const [program = '', ...args] = command;
    this.#fault =
      options.fault ?? ((why, cause) => failure(rootErrors.GATHERER_PROGRAM, { program, why }, cause));
    signal?.throwIfAborted();
    this.#signal = signal;
    // A group of its own, so that what it starts ends with it.
    this.#child = spawn(program, args, {
      ...(cwd !== undefined && { cwd }),
      env,
      detached: true,
      stdio: 'pipe',
    });
    this.#child.once('error', (error) => {
      this.#failed = error;
    });
    // It may end before it has read everything: its exit status tells.
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-keptStderr);
    });
    this.#closed = new Promise((resolve) => this.#child.once('close', () => resolve()));
    this.#timer = new IdleTimer(clock, silenceMs, () => {
      this.#late = true;
      this.#kill();
    });
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.output = new ByteReader(this.#heard());
  }

  /** Write to its standard input; resolves when it takes more. */
  async write(text: string): Promise<void> {
    if (this.#child.stdin.destroyed || this.#child.stdin.write(text)) return;
    await Promise.race([once(this.#child.stdin, 'drain'), this.#closed]).catch(() => undefined);
  }

  /** Nothing more is written to it. */
  end(): void {
    this.#child.stdin.end();
  }

  /** Throws GATHERER_PROGRAM, or what `fault` makes, unless the program has ended well or ends so now. */
  async succeeded(): Promise<void> {
    await this.#closed;
    this.#signal?.throwIfAborted();
    if (this.#failed) throw this.#fault(this.#failed.message, this.#failed);
    if (this.#late) throw this.#fault('it said nothing for too long and was ended');
    const { exitCode, signalCode } = this.#child;
    if (exitCode === 0) return;
    const said = this.#stderr.trim().split('\n').slice(-3).join(' / ').slice(0, 400);
    const how = signalCode === null ? `exit status ${exitCode}` : `ended by ${signalCode}`;
    throw this.#fault(said === '' ? how : `${how}: ${said}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer[Symbol.dispose]();
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#kill();
    this.#child.stdout.destroy();
    await this.#closed;
  }

  async *#heard(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#child.stdout) {
        // The time that the reader takes is not the program's silence.
        this.#timer.rest();
        yield chunk as Uint8Array;
        this.#timer.heard();
      }
    } catch {
      // A pipe that broke: how the program ended says more.
    }
  }

  #kill(): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#child.kill('SIGKILL');
    }
  }
}

/** What any program needs of the environment; tokens and passwords in it are none of its business. */
export function plainEnvironment(): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER'];
  return Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
