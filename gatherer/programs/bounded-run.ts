import { spawn } from 'node:child_process';

/** How a program is run; no shell reads its words. */
export interface BoundedRun {
  readonly command: readonly [program: string, ...words: string[]];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Given on standard input. */
  readonly input?: Uint8Array;
  readonly milliseconds: number;
  readonly outputBytes: number;
  readonly signal?: AbortSignal;
}

/** How a run went. */
export interface BoundedOutcome {
  /** What it wrote, up to the bound. */
  readonly output: Buffer;
  /** What it said last on standard error. */
  readonly complaint: string;
  readonly exitCode: number | null;
  readonly killedBy: string | null;
  /** The bound for which it was ended. */
  readonly passed: 'time' | 'output' | undefined;
}

const keptComplaint = 2000;

/**
 * Run a program to its end. It is ended, with all its children, when it takes longer or writes more than it may, or
 * when the signal aborts. Rejects when it cannot be started, and with the signal's reason.
 */
export async function runBounded(run: BoundedRun): Promise<BoundedOutcome> {
  const { command, env, cwd, input, milliseconds, outputBytes, signal } = run;
  signal?.throwIfAborted();
  const [program, ...words] = command;
  // A group of its own, so that what it starts ends with it.
  const child = spawn(program, words, {
    ...(cwd === undefined ? {} : { cwd }),
    env,
    stdio: 'pipe',
    detached: true,
  });
  let passed: BoundedOutcome['passed'];
  let closed = false;
  const kill = () => {
    // It may have ended while one that it started still holds its output.
    if (child.pid === undefined || closed) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group is gone.
    }
    // Nor is one waited for that has left the group.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const end = (bound: 'time' | 'output') => {
    passed ??= bound;
    kill();
  };
  const timer = setTimeout(() => end('time'), milliseconds);
  signal?.addEventListener('abort', kill, { once: true });
  const parts: Buffer[] = [];
  let length = 0;
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-keptComplaint);
  });
  child.stdout.on('data', (part: Buffer) => {
    length += part.length;
    if (length <= outputBytes) parts.push(part);
    else end('output');
  });
  // It may end before it has read everything: its exit status tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  try {
    const [exitCode, killedBy] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (status, killer) => {
        closed = true;
        resolve([status, killer]);
      });
    });
    signal?.throwIfAborted();
    return { output: Buffer.concat(parts), complaint, exitCode, killedBy, passed };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
    kill();
  }
}
