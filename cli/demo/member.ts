import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { failure } from '../../kernel/index.ts';
import { cliErrors } from '../config/errors.ts';

/** A server of the demo, in a process of its own so that it can be stopped by itself. */
export interface Member<Ready> extends AsyncDisposable {
  readonly pid: number;
  /** What it prints when it listens. Rejects with CLI_DEMO_SERVER when it ends before that. */
  readonly ready: Promise<Ready>;
}

export interface MemberOptions {
  readonly name: string;
  /** Command line without the program's name. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** Called when the process ends after it was ready and before it is disposed. */
  readonly ended: (name: string, code: number | null) => void;
}

/** Max characters of what a server printed on stderr. */
const maxComplaint = 2000;

/** Max time for an orderly end; then the process is killed. */
const farewellMs = 10_000;

/** Start a server. Disposing ends it, also before it listens. */
export function startMember<Ready>(options: MemberOptions): Member<Ready> {
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
  let isEnding = false;
  const listens = async () => {
    const line = await Promise.race([
      once(lines, 'line').then(([text]) => text as string),
      exit.then(() => undefined),
    ]);
    if (line === undefined) throw failure(cliErrors.CLI_DEMO_SERVER, { name, why: reasonIn(complaint) });
    void exit.then(([code]) => {
      if (!isEnding) ended(name, code);
    });
    return JSON.parse(line) as Ready;
  };
  return {
    ...{ pid: child.pid as number, ready: listens() },
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
