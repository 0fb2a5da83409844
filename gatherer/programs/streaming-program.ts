import { once } from 'node:events';
import { IdleTimer } from '../../fetch/index.ts';
import type { Clock, GarnerError } from '../../kernel/index.ts';
import { howEnded, plainEnvironment } from './run-program.ts';
import { StartedProgram } from './started-program.ts';

export interface StreamingProgramOptions {
  /** The program and its arguments; a shell does not interpret them. */
  readonly command: readonly string[];
  /** The whole environment; `plainEnvironment` when absent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Max time without a byte of output, 60 s when absent. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Makes the error of a program that fails. */
  fault(why: string, cause?: unknown): GarnerError;
}

/** A program that runs while its output is read; disposing ends it with all its children. */
export class StreamingProgram implements AsyncDisposable {
  readonly #options: StreamingProgramOptions;
  readonly #program: StartedProgram;
  readonly #timer: IdleTimer;
  #isLate = false;

  constructor(options: StreamingProgramOptions) {
    const { command, env = plainEnvironment(), clock, silenceMs = 60_000, signal } = options;
    this.#options = options;
    this.#program = new StartedProgram({ command, env, signal });
    this.#timer = new IdleTimer(clock, silenceMs, () => {
      this.#isLate = true;
      this.#program[Symbol.dispose]();
    });
  }

  /** Write to its standard input; resolves when it takes more. */
  async write(text: string): Promise<void> {
    const { input, ended } = this.#program;
    if (input.destroyed || input.write(text)) return;
    await Promise.race([once(input, 'drain'), ended]).catch(() => undefined);
  }

  /** Close its standard input. */
  end(): void {
    this.#program.input.end();
  }

  /** Its standard output in chunks. */
  async *output(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#program.output()) {
      // The time that the reader takes is not the program's silence.
      this.#timer.rest();
      yield chunk;
      this.#timer.heard();
    }
  }

  /** Wait for its end. Throws what `fault` makes unless its exit status is 0, or the signal's reason. */
  async succeeded(): Promise<void> {
    const { fault, signal } = this.#options;
    const end = await this.#program.ended;
    signal?.throwIfAborted();
    if (end.error) throw fault(end.error.message, end.error);
    if (this.#isLate) throw fault('it was ended because it printed nothing for too long');
    if (end.exitCode === 0) return;
    const complaint = this.#program.complaint.trim().split('\n').slice(-3).join(' / ').slice(0, 400);
    throw fault(complaint === '' ? howEnded(end) : `${howEnded(end)}: ${complaint}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer[Symbol.dispose]();
    this.#program[Symbol.dispose]();
    await this.#program.ended;
  }
}
