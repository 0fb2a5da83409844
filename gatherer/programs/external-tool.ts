import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineErrors, failure } from '../../kernel/index.ts';
import { runBounded } from './bounded-run.ts';

/** What can go wrong with a program of the system that reads a document for us. */
const externalToolErrors = defineErrors({
  GATHERER_TOOL_ABSENT: {
    message: ({ tool }: { readonly tool: string }) => `${tool} is not installed`,
    hint: ({ tool }: { readonly tool: string }) =>
      `install the package that holds ${tool}; garner doctor tells which`,
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

/** What a program may take before it is ended. */
export interface ToolLimits {
  /** Milliseconds by the clock. */
  readonly milliseconds: number;
  readonly outputBytes: number;
  /** Bytes of address space, where the system's `prlimit` is at hand. */
  readonly memoryBytes: number;
  readonly signal?: AbortSignal;
}

export const defaultToolLimits: ToolLimits = {
  milliseconds: 30_000,
  outputBytes: 64 * 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
};

const found = new Map<string, string | undefined>();

/** Where a program of the system lies, or undefined; looked for once in the folders of PATH. */
export function findTool(name: string): string | undefined {
  if (!found.has(name)) {
    const folders = (process.env.PATH ?? '/usr/bin:/bin')
      .split(':')
      .filter((folder) => folder.startsWith('/'));
    found.set(name, folders.map((folder) => join(folder, name)).find(isExecutable));
  }
  return found.get(name);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Run a program of the system on a document: no shell, the document on its standard input, nothing of our environment
 * but the path. It is ended with all it started when it passes a limit. Returns what it wrote. Throws
 * GATHERER_TOOL_ABSENT, _SLOW, _VERBOSE or _FAILED; a program that wrote something and then failed counts as having
 * succeeded.
 */
export async function runTool(
  tool: string,
  args: readonly string[],
  input: Uint8Array,
  limits: ToolLimits = defaultToolLimits,
): Promise<Buffer> {
  const { milliseconds, outputBytes, signal } = limits;
  const path = findTool(tool);
  if (path === undefined) throw failure(externalToolErrors.GATHERER_TOOL_ABSENT, { tool });
  const failed = (reason: string, cause?: unknown) =>
    failure(externalToolErrors.GATHERER_TOOL_FAILED, { tool, reason }, cause);
  const { output, complaint, exitCode, passed } = await runBounded({
    command: bounded(path, args, limits),
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
    input,
    milliseconds,
    outputBytes,
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw failed((error as Error).message, error);
  });
  if (passed === 'time')
    throw failure(externalToolErrors.GATHERER_TOOL_SLOW, { tool, seconds: Math.ceil(milliseconds / 1000) });
  if (passed === 'output')
    throw failure(externalToolErrors.GATHERER_TOOL_VERBOSE, { tool, bytes: outputBytes });
  if (exitCode !== 0 && output.length === 0)
    throw failed(complaint.split('\n', 1)[0]?.trim() || `it ended with status ${exitCode}`);
  return output;
}

/** The command under the system's own limits, where `prlimit` is at hand. */
function bounded(
  path: string,
  args: readonly string[],
  { milliseconds, outputBytes, memoryBytes }: ToolLimits,
): readonly [string, ...string[]] {
  const prlimit = findTool('prlimit');
  if (prlimit === undefined) return [path, ...args];
  const cpu = Math.ceil(milliseconds / 1000);
  const bounds = [
    `--as=${memoryBytes}`,
    `--cpu=${cpu}`,
    '--core=0',
    '--nofile=256',
    `--fsize=${4 * outputBytes}`,
  ];
  return [prlimit, ...bounds, '--', path, ...args];
}
