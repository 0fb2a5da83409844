import { failure, type GarnerError } from '../../kernel/index.ts';
import { programErrors } from './errors.ts';
import { type ProgramEnd, StartedProgram, type SystemLimits } from './started-program.ts';

/** Makes the errors of a run. `program` is the name of the program. */
export interface RunErrors {
  absent(program: string, cause?: unknown): GarnerError;
  tooSlow(program: string, seconds: number): GarnerError;
  tooVerbose(program: string, bytes: number): GarnerError;
  /** `how` is the exit status or signal, `complaint` the text on standard error. */
  failed(program: string, how: string, complaint: string): GarnerError;
}

export interface ProgramRun extends SystemLimits {
  /** The program and its arguments; a shell does not interpret them. */
  readonly command: readonly string[];
  /** Sent on standard input. */
  readonly input?: Uint8Array;
  /** All environment variables of the program; `plainEnvironment` when absent. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Max bytes of output. */
  readonly outputBytes?: number;
  /** Accept the output of a program that failed, unless the output is empty. */
  readonly acceptsPartial?: boolean;
  /** PROGRAM_* when absent. */
  readonly errors?: RunErrors;
  readonly signal?: AbortSignal | undefined;
}

/** A minute, 64 MiB of output, 1 GiB of memory. */
export const defaultProgramLimits = {
  seconds: 60,
  outputBytes: 64 * 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
} as const;

const operatorErrors: RunErrors = {
  absent: (program, cause) => failure(programErrors.PROGRAM_ABSENT, { program }, cause),
  tooSlow: (program, seconds) =>
    failure(programErrors.PROGRAM_LIMIT, { program, limit: `${seconds} seconds` }),
  tooVerbose: (program, bytes) =>
    failure(programErrors.PROGRAM_LIMIT, { program, limit: `${bytes} bytes of output` }),
  failed(program, how, complaint) {
    const last = complaint.trim().split('\n').at(-1)?.slice(0, 300);
    return failure(programErrors.PROGRAM_FAILED, { program, reason: last ? `${how}: ${last}` : how });
  },
};

/** The environment variables of this process that any program needs, without tokens and passwords. */
export function plainEnvironment(): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER'];
  return Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** `exit status 1` or `ended by SIGTERM`. */
export function howEnded({ exitCode, killedBy }: ProgramEnd): string {
  return killedBy === null ? `exit status ${exitCode}` : `ended by ${killedBy}`;
}

/** Resolve to a program's output. A limit or the signal kills it and its children. Rejects with `errors`. */
export async function runProgram(run: ProgramRun): Promise<Buffer> {
  const {
    command,
    input,
    env = plainEnvironment(),
    cwd,
    acceptsPartial = false,
    errors = operatorErrors,
    signal,
  } = run;
  const limits = { ...defaultProgramLimits, ...run };
  const [name = ''] = command;
  using program = new StartedProgram({
    command,
    env,
    cwd,
    limits,
    signal,
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    program[Symbol.dispose]();
  }, limits.seconds * 1000);
  const parts: Buffer[] = [];
  let length = 0;
  try {
    program.input.end(input);
    for await (const part of program.output()) {
      length += part.length;
      if (length > limits.outputBytes) throw errors.tooVerbose(name, limits.outputBytes);
      parts.push(part as Buffer);
    }
    const end = await program.ended;
    signal?.throwIfAborted();
    if (end.error !== undefined) throw errors.absent(name, end.error);
    if (isLate || end.killedBy === 'SIGXCPU') throw errors.tooSlow(name, limits.seconds);
    const output = Buffer.concat(parts);
    if (end.exitCode === 0) return output;
    // A shell exits with 127 when there is no such program, and with 126 when it may not be run.
    if (end.exitCode === 127 || end.exitCode === 126) throw errors.absent(name);
    if (acceptsPartial && output.length > 0) return output;
    throw errors.failed(name, howEnded(end), program.complaint);
  } finally {
    clearTimeout(timer);
  }
}
