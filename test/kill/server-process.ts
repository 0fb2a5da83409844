import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ended, mortal } from './by-bytes.ts';

const garner = fileURLToPath(new URL('../../cli/garner.js', import.meta.url));
const keptErrorBytes = 4000;
const patienceMs = 60_000;
const pollMs = 15;
/** Max milliseconds between a broken connection and the known end of its process. */
const deathMs = 5000;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
}

/** Ask until the answer is the expected one; a missing answer is a retry. Throws with the last answer. */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> {
  const started = performance.now();
  let last: unknown;
  while (performance.now() - started < patienceMs) {
    try {
      const answer = await ask();
      if (wanted(answer)) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    await setTimeout(pollMs);
  }
  const text = last instanceof Error ? last.message : JSON.stringify(last);
  throw new Error(`waited ${patienceMs / 1000} s for ${what}: ${text}`);
}

/** A Garner server in its own process, started repeatedly over the same data folder. */
export class ServerProcess {
  readonly role: 'gatherer' | 'broker' | 'cache';
  readonly data: string;
  readonly #cwd: string;
  #child: ChildProcess | undefined;
  #errors = '';
  #end = '';
  #ready: Promise<Record<string, unknown>> = Promise.reject(new Error('not started'));

  constructor(role: 'gatherer' | 'broker' | 'cache', cwd: string) {
    this.role = role;
    this.#cwd = cwd;
    this.data = join(cwd, 'data', role);
    this.#ready.catch(() => undefined);
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  get child(): ChildProcess {
    if (this.#child === undefined) throw new TypeError(`the ${this.role} is not running`);
    return this.#child;
  }

  /** Whether it ends soon: its connections break before this process knows its end. */
  async isDying(signal: AbortSignal): Promise<boolean> {
    const child = this.#child;
    if (child === undefined || signal.aborted) return true;
    return Promise.race([ended(child).then(() => true), setTimeout(deathMs, false)]);
  }

  /** The end of its output on stderr. */
  get errors(): string {
    return this.#errors;
  }

  /** Start `garner ROLE serve`; `ready` waits until it listens. */
  start(args: readonly string[]): void {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('GARNER_')),
    );
    const all = [
      ...mortal.nodeArguments,
      garner,
      this.role,
      'serve',
      '--data',
      join(this.#cwd, 'data'),
      '--json',
      ...args,
    ];
    const child = spawn(process.execPath, all, {
      cwd: this.#cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', mortal.line],
    });
    this.#child = child;
    child.stderr?.on('data', (bytes: Buffer) => {
      this.#errors = (this.#errors + bytes.toString()).slice(-keptErrorBytes);
    });
    const lines = createInterface(child.stdout as Readable);
    this.#ready = new Promise((resolve, reject) => {
      lines.once('line', (line) => resolve(JSON.parse(line) as Record<string, unknown>));
      child.once('exit', (code, signal) => reject(new Error(`the ${this.role} ended: ${signal ?? code}`)));
    });
    // A caller that does not wait may kill it before.
    this.#ready.catch(() => undefined);
    child.once('exit', (code, signal) => {
      this.#end = String(signal ?? code);
      if (this.#child === child) this.#child = undefined;
    });
  }

  /** Its ready line. Throws when it ends before. */
  ready(): Promise<Record<string, unknown>> {
    return this.#ready;
  }

  /** A fault of a request, and whether the server was still running. */
  #describe(fault: string): string {
    return `${fault} (the ${this.role} ${this.isRunning ? 'runs' : `ended: ${this.#end}`})`;
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<string | undefined> {
    const child = this.#child;
    if (child === undefined) return undefined;
    child.kill(signal);
    return ended(child);
  }

  /** Send a request to the control door that it announced in its data folder; `json` is the body. */
  async ask(path: string, method: Method = 'GET', json?: unknown): Promise<unknown> {
    await this.ready();
    return JSON.parse(await this.text(path, method, json));
  }

  async text(path: string, method: Method = 'GET', json?: unknown): Promise<string> {
    const { address, token } = JSON.parse(await readFile(join(this.data, 'holder.json'), 'utf8')) as {
      address: string;
      token: string;
    };
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` };
      const asked = request(new URL(path, address), { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const body = Buffer.concat(chunks).toString();
          if ((response.statusCode ?? 500) < 300) resolve(body);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${body.slice(0, 300)}`));
        });
      });
      asked.on('error', (error) =>
        reject(new Error(this.#describe(`${method} ${path}: ${error.message}`), { cause: error })),
      );
      asked.end(json === undefined ? undefined : JSON.stringify(json));
    });
  }
}
