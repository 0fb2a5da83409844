import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The command of the same build as the test. */
const garner = fileURLToPath(new URL('../../cli/garner.js', import.meta.url));

/** Max time of a command in the tests; a hanging command is ended and fails its test. */
const patienceMs = 120_000;

export interface CommandOptions {
  /** The current folder. */
  readonly cwd?: string;
  /** Its standard input; empty when absent. */
  readonly input?: string | Uint8Array;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Files that it may have open. */
  readonly maxFiles?: number;
}

/** The output of a command that has ended. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a command: the machine's settings must not affect a test. */
export function commandEnvironment(own: CommandOptions['env']): Readonly<Record<string, string | undefined>> {
  const env = Object.entries(process.env).filter(([name]) => !/^(GARNER|NODE)_/.test(name));
  return { ...Object.fromEntries(env), NO_COLOR: '1', ...own };
}

function start(
  args: readonly string[],
  { cwd, env, maxFiles }: CommandOptions,
): ChildProcessWithoutNullStreams {
  const limited = maxFiles === undefined ? [] : ['sh', '-c', `ulimit -n ${maxFiles}; exec "$@"`, 'sh'];
  const [program = '', ...words] = [...limited, process.execPath, garner, ...args];
  return spawn(program, words, {
    env: commandEnvironment(env),
    ...(cwd && { cwd }),
  });
}

/** Run a command to its end, whatever its exit code. */
export async function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const child = start(args, options);
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that does not read its input closes it.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, stdout, stderr };
}

/** Run a command with `--json`, which must succeed, and return its value. */
export async function jsonOf<Value>(args: readonly string[], options: CommandOptions = {}): Promise<Value> {
  const { code, stdout, stderr } = await runCommand([...args, '--json'], options);
  if (code !== 0) throw new Error(`garner ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Value;
}

/** One of the JSON lines a server logs. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

/** A server in its own process; disposing stops it. */
export class Server<Ready> implements AsyncDisposable {
  readonly pid: number;
  readonly ready: Ready;
  /** Milliseconds from start to the ready line. */
  readonly readyMs: number;
  readonly log: LogLine[];
  readonly #child: ChildProcessWithoutNullStreams;
  /** Emits `line` after each line of the log. */
  readonly #heard: EventEmitter;
  readonly #ended: Promise<Finished>;

  constructor(
    child: ChildProcessWithoutNullStreams,
    ready: Ready,
    readyMs: number,
    { log, heard, ended }: { log: LogLine[]; heard: EventEmitter; ended: Promise<Finished> },
  ) {
    this.pid = child.pid as number;
    this.ready = ready;
    this.readyMs = readyMs;
    this.log = log;
    this.#child = child;
    this.#heard = heard;
    this.#ended = ended;
  }

  /** Stop it as Ctrl-C does, and wait for its end. */
  async stop(signal: 'SIGINT' | 'SIGTERM' = 'SIGTERM'): Promise<Finished> {
    this.#child.kill(signal);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    const finished = await this.#ended;
    clearTimeout(timer);
    return finished;
  }

  /** Send SIGHUP, and wait for the log line with this message that follows it. */
  hangUp(message: string): Promise<LogLine> {
    const before = this.log.length;
    this.#child.kill('SIGHUP');
    return this.logged(({ msg }) => msg === message, before);
  }

  /** The first log line of a kind, from this one on; waits for it. */
  async logged(isWanted: (line: LogLine) => boolean, from = 0): Promise<LogLine> {
    const patience = AbortSignal.timeout(patienceMs);
    for (;;) {
      const line = this.log.slice(from).find(isWanted);
      if (line !== undefined) return line;
      await once(this.#heard, 'line', { signal: patience });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

/** Start a server with `--json` and wait for its ready line. */
export async function startServer<Ready>(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Server<Ready>> {
  const started = performance.now();
  const child = start([...args, '--json'], options);
  const log: LogLine[] = [];
  const heard = new EventEmitter();
  let [stdout, stderr] = ['', ''];
  createInterface({ input: child.stderr }).on('line', (line) => {
    stderr += `${line}\n`;
    try {
      log.push(JSON.parse(line) as LogLine);
    } catch {
      log.push({ msg: line });
    }
    heard.emit('line');
  });
  const ended = new Promise<Finished>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  const first = new Promise<string>((resolve) =>
    createInterface({ input: child.stdout }).on('line', (line) => {
      stdout += `${line}\n`;
      resolve(line);
    }),
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const line = await Promise.race([first, ended]);
  clearTimeout(timer);
  if (typeof line !== 'string')
    throw new Error(`garner ${args.join(' ')} ended with ${line.code}: ${line.stderr}`);
  return new Server(child, JSON.parse(line) as Ready, performance.now() - started, { log, heard, ended });
}

/** A command as a person runs it, without `--json`. */
export function startPlain(args: readonly string[], options: CommandOptions = {}) {
  const child = start(args, options);
  let [stdout, stderr] = ['', ''];
  let look = () => {};
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    look();
  });
  const ended = new Promise<Finished>((resolve) =>
    child.once('close', (code) => {
      resolve({ code, stdout, stderr });
      look();
    }),
  );
  const until = (isSaid: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      look = () => {
        if (isSaid()) resolve();
        else if (child.exitCode !== null)
          reject(new Error(`it ended with ${child.exitCode}; output: ${stdout}${stderr}`));
      };
      look();
    });
  return {
    /** Wait until it has printed this on standard output. */
    said: (pattern: RegExp) => until(() => pattern.test(stdout)),
    /** Wait until it has printed this on standard error. */
    saidOnError: (pattern: RegExp) => until(() => pattern.test(stderr)),
    /** Interrupt it as Ctrl-C does, end it as systemd does, or kill it. */
    stop: (signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' = 'SIGINT') => {
      child.kill(signal);
      return ended;
    },
  };
}

/** The ready line of `garner up --json`. */
export interface UpReady {
  readonly site: string;
  readonly search: string;
  readonly gatherer: string;
  readonly objects: number;
  readonly bytesRead: number;
  readonly wireBytes: number;
  readonly ms: number;
  readonly failed: number;
}

/** The fields of the answer of `/search` that tests read. */
export interface SearchAnswer {
  readonly total: number;
  readonly relaxed: boolean;
  readonly hits: readonly {
    readonly oid: string;
    readonly url: string;
    readonly title: string;
    readonly snippet: string;
    readonly score: number;
    readonly source: string;
    readonly updatedAt: number;
  }[];
}

/** Search at a running Broker. */
export async function search(broker: string, query: string): Promise<SearchAnswer> {
  const response = await fetch(new URL(`/search?q=${encodeURIComponent(query)}`, broker));
  if (!response.ok) throw new Error(`/search answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as SearchAnswer;
}

/** Repeat a search until the answer is the expected one; returns the milliseconds until then. Throws after 30 s. */
export async function untilFound(
  broker: string,
  query: string,
  wanted: (answer: SearchAnswer) => boolean,
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await search(broker, query);
    const ms = performance.now() - started;
    if (wanted(answer)) return ms;
    if (ms > 30_000) throw new Error(`${query} still has ${answer.total} hits after ${Math.round(ms)} ms`);
  }
}

/** A temporary folder for one test, removed afterwards. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'garner-e2e-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}

/** A port that was free at the time of the call. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
