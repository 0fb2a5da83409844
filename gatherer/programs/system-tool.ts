import { tmpdir } from 'node:os';
import { defineErrors, failure } from '../../kernel/index.ts';
import { defaultProgramLimits, type ProgramRun, type RunErrors, runProgram } from './run-program.ts';

/** Faults of a program of the system that reads a document. */
const systemToolErrors = defineErrors({
  GATHERER_TOOL_ABSENT: {
    message: ({ tool }: { readonly tool: string }) => `${tool} is not installed`,
    hint: ({ tool }: { readonly tool: string }) =>
      `install the package that holds ${tool}; garner doctor names the package`,
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_SLOW: {
    message: ({ tool, seconds }: { readonly tool: string; readonly seconds: number }) =>
      `${tool} was ended after ${seconds} seconds`,
    hint: () => 'look at the document: it may be damaged, or made to keep its reader busy',
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_VERBOSE: {
    message: ({ tool, bytes }: { readonly tool: string; readonly bytes: number }) =>
      `${tool} was ended because it wrote more than ${bytes} bytes`,
    hint: () => 'look at the document: it may be made to unfold without end',
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_FAILED: {
    message: ({ tool, reason }: { readonly tool: string; readonly reason: string }) =>
      `${tool} failed: ${reason}`,
    hint: () => 'look at the document: it may be damaged',
    exit: 3,
    retry: 'never',
  },
});

const errors: RunErrors = {
  absent: (tool, cause) => failure(systemToolErrors.GATHERER_TOOL_ABSENT, { tool }, cause),
  tooSlow: (tool, seconds) =>
    failure(systemToolErrors.GATHERER_TOOL_SLOW, { tool, seconds: Math.ceil(seconds) }),
  tooVerbose: (tool, bytes) => failure(systemToolErrors.GATHERER_TOOL_VERBOSE, { tool, bytes }),
  failed: (tool, how, complaint) => {
    const reason = complaint.split('\n', 1)[0]?.trim() || how;
    return failure(systemToolErrors.GATHERER_TOOL_FAILED, { tool, reason });
  },
};

/** Environment of a tool of the system: nothing of the user's but PATH and the folder for temporary files. */
export function toolEnvironment(): Record<string, string> {
  const { PATH, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }), LC_ALL: 'C.UTF-8', TZ: 'UTC' };
}

/**
 * Run a program of the system on a document, which is its standard input, for at most 30 seconds. Returns its output. A
 * program that wrote something and then failed counts as successful. Rejects with GATHERER_TOOL_ABSENT, _SLOW, _VERBOSE
 * or _FAILED, or the signal's reason.
 */
export function runTool(
  tool: string,
  args: readonly string[],
  input: Uint8Array,
  run: Pick<ProgramRun, 'seconds' | 'outputBytes' | 'signal'> = {},
): Promise<Buffer> {
  return runProgram({
    command: [tool, ...args],
    input,
    env: toolEnvironment(),
    cwd: tmpdir(),
    seconds: 30,
    openFiles: 256,
    fileBytes: 4 * (run.outputBytes ?? defaultProgramLimits.outputBytes),
    acceptsPartial: true,
    errors,
    ...run,
  });
}
