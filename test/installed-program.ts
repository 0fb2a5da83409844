import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

// What the tests of installed packages share: programs that are run by their names, and a PATH with chosen programs.

const execute = promisify(execFile);

/** How long a program of an installation may take, in ms. */
const patienceMs = 240_000;

export interface RunOptions {
  readonly cwd?: string;
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Run a program that must succeed; resolves to what it wrote. The error of one that fails holds both streams. */
export async function runInstalled(
  line: readonly string[],
  options: RunOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const [program = '', ...args] = line;
  const limits = { timeout: patienceMs, maxBuffer: 64 * 1024 * 1024 };
  try {
    return await execute(program, args, { ...options, ...limits, encoding: 'utf8' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${line.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A server that was started by its name; disposing sends SIGTERM and waits for its end. */
export interface InstalledServer<Ready> extends AsyncDisposable {
  readonly ready: Ready;
}

/** Start a server with `--json` on its command line and wait for the line that says where it listens. */
export async function startInstalled<Ready>(
  line: readonly string[],
  options: RunOptions = {},
): Promise<InstalledServer<Ready>> {
  const [program = '', ...args] = line;
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<undefined>((resolve) => child.once('close', () => resolve(undefined)));
  const first = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).once('line', resolve),
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const said = await Promise.race([first, ended]);
  clearTimeout(timer);
  if (said === undefined) throw new Error(`${line.join(' ')} ended before it was ready:\n${stderr}`);
  return {
    ready: JSON.parse(said) as Ready,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      const last = setTimeout(() => child.kill('SIGKILL'), 20_000);
      await ended;
      clearTimeout(last);
    },
  };
}

/** Where a program is, administrators' folders included; undefined when it is not on this machine. */
export async function programPath(name: string): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin'])
    try {
      return await realpath(join(folder, name));
    } catch {}
  return undefined;
}

/** Make a folder that holds these programs and no others. */
export async function folderOfPrograms(folder: string, names: readonly string[]): Promise<void> {
  await mkdir(folder);
  for (const name of names) {
    const path = name === 'node' ? process.execPath : await programPath(name);
    if (path === undefined) throw new Error(`${name} is not on this machine`);
    await symlink(path, join(folder, name));
  }
}
