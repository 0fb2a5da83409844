import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { failure } from '../../kernel/index.ts';
import { cliErrors } from '../config/errors.ts';

/** A server of the demo, in a process of its own so that it can be stopped by itself. */
export interface Member<Ready> extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** What it printed when it was ready. */
  readonly ready: Ready;
}

export interface MemberOptions {
  readonly name: string;
  /** Command line without the program's name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** Called when the process ends before it is disposed. */
  readonly ended: (name: string, code: number | null) => void;
}

/** Max characters of what a server printed on stderr. */
const maxComplaint = 2000;

/** Max time for an orderly end; then the process is killed. */
const farewellMs = 10_000;

/** Start a server; resolves when it listens. Throws CLI_DEMO_SERVER when it ends before that. */
export async function startMember<Ready>(options: MemberOptions): Promise<Member<Ready>> {
  const { name, args, cwd, ended } = options;
  const child = fork(fileURLToPath(new URL('../garner.js', import.meta.url)), [...args, '--json'], {
    ...{ cwd, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
    execArgv: ['--import', new URL('./end-with-parent.js', import.meta.url).href],
  });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-maxComplaint);
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess['stdout']> });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => text as string),
    exit.then(() => undefined),
  ]);
  if (line === undefined) throw failure(cliErrors.CLI_DEMO_SERVER, { name, why: reasonIn(complaint) });
  let isEnding = false;
  void exit.then(([code]) => {
    if (!isEnding) ended(name, code);
  });
  return {
    ...{ name, pid: child.pid as number, ready: JSON.parse(line) as Ready },
    [Symbol.asyncDispose]: async () => {
      isEnding = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), farewellMs);
      await exit;
      clearTimeout(timer);
    },
  };
}

/** The message of the last JSON line that a command printed as its error, or the text itself. */
function reasonIn(complaint: string): string {
  const last = complaint.trim().split('\n').at(-1) ?? '';
  try {
    const { message, error } = JSON.parse(last) as {
      readonly message?: string;
      readonly error?: { readonly message?: string };
    };
    return error?.message ?? message ?? last;
  } catch {
    return last;
  }
}
