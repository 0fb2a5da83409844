import { failure } from '../../kernel/index.ts';
import { runBounded } from './bounded-run.ts';
import { programErrors } from './errors.ts';

/** What one run of a program may use. */
export interface ProgramBounds {
  readonly seconds: number;
  readonly outputBytes: number;
  readonly memoryBytes: number;
}

export interface ProgramRun extends Partial<ProgramBounds> {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[];
  /** Given on standard input. */
  readonly input?: Uint8Array;
  /** Added to PATH, HOME, locale and time zone; nothing else of this process's environment is passed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** A minute, 64 MiB of output, 1 GiB of memory. */
export const defaultProgramBounds: ProgramBounds = {
  seconds: 60,
  outputBytes: 64 * 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
};

/** What any program needs of the environment; tokens and passwords in it are none of its business. */
export function plainEnvironment(): Record<string, string> {
  const passed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'USER'];
  return Object.fromEntries(
    passed.flatMap((name) => (process.env[name] ? [[name, process.env[name] as string]] : [])),
  );
}

/**
 * Run a program to its end and resolve to its output. It is ended, with all its children, when it takes longer or
 * prints more than it may, or when the signal aborts. Throws PROGRAM_ABSENT, PROGRAM_FAILED (with what it said
 * last), PROGRAM_LIMIT, or the signal's reason.
 */
export async function runProgram(run: ProgramRun): Promise<Buffer> {
  const { command, input, env, cwd, signal } = run;
  const bounds = { ...defaultProgramBounds, ...run };
  const [program = ''] = command;
  // The shell sets limits on itself and then becomes the program; its words are never read as shell.
  const limits = `ulimit -v ${Math.ceil(bounds.memoryBytes / 1024)} -t ${Math.ceil(bounds.seconds)} -c 0 2>/dev/null`;
  const outcome = await runBounded({
    command: ['/bin/sh', '-c', `${limits}; exec "$@"`, 'sh', ...command],
    env: { ...plainEnvironment(), ...env },
    milliseconds: bounds.seconds * 1000,
    outputBytes: bounds.outputBytes,
    ...(input === undefined ? {} : { input }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw failure(programErrors.PROGRAM_ABSENT, { program }, error);
  });
  const { output, complaint, exitCode, killedBy, passed } = outcome;
  if (passed === 'output')
    throw failure(programErrors.PROGRAM_LIMIT, { program, limit: `${bounds.outputBytes} bytes of output` });
  if (passed === 'time' || killedBy === 'SIGXCPU')
    throw failure(programErrors.PROGRAM_LIMIT, { program, limit: `${bounds.seconds} seconds` });
  if (exitCode === 0) return output;
  // What a shell answers when there is no such program, or it may not be run.
  if (exitCode === 127 || exitCode === 126) throw failure(programErrors.PROGRAM_ABSENT, { program });
  const said = complaint.trim().split('\n').at(-1)?.slice(0, 300);
  const how = killedBy === null ? `exit status ${exitCode}` : `ended by ${killedBy}`;
  throw failure(programErrors.PROGRAM_FAILED, { program, reason: said ? `${how}: ${said}` : how });
}
