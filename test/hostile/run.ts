// One run of `garner gatherer run` in its own process, with its cost.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunReport } from '../../gatherer/index.ts';

const garner = fileURLToPath(new URL('../../cli/garner.js', import.meta.url));

/** The result and the cost of a run. */
export interface MeasuredRun {
  readonly code: number | null;
  readonly report: RunReport;
  readonly stderr: string;
  /** User and system time of all threads, without the programs it started. */
  readonly cpuMs: number;
  /** Largest resident set. */
  readonly peakBytes: number;
}

export interface MeasuredOptions {
  /** The current folder of the run, with its data folder `data` and its garner.yaml. */
  readonly cwd: string;
  /** A folder or URL; absent: the roots of the last run or of the configuration. */
  readonly root?: string;
  /** Max milliseconds of the run; a longer one is ended and fails. */
  readonly patienceMs?: number;
  /** Arguments before the command, such as those of setpriv. */
  readonly before?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes the usage of the process at its end, in the main thread only. */
function meterOf(file: string): string {
  return `import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) process.on('exit', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.resourceUsage())));
`;
}

/** Gather once, with `--json`. Throws when it does not end, or ends without a report. */
export async function measuredRun(options: MeasuredOptions): Promise<MeasuredRun> {
  const { cwd, root, patienceMs = 120_000, before = [], env = {} } = options;
  const folder = join(cwd, 'meter');
  mkdirSync(folder, { recursive: true });
  const [meter, usage] = [join(folder, 'meter.mjs'), join(folder, 'usage.json')];
  writeFileSync(meter, meterOf(usage));
  writeFileSync(usage, '{}');
  // The run may belong to another user.
  chmodSync(usage, 0o666);
  const named = root === undefined ? [] : ['--root', root];
  const args = ['--import', meter, garner, 'gatherer', 'run', ...named, '--data', 'data', '--json'];
  const [program = '', ...rest] = [...before, process.execPath, ...args];
  const inherited = Object.entries(process.env).filter(([name]) => !/^(GARNER|NODE)_/.test(name));
  const child = spawn(program, rest, { cwd, env: { ...Object.fromEntries(inherited), ...env } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearTimeout(timer);
  if (code === null) throw new Error(`it did not end within ${patienceMs} ms: ${stderr.slice(-2000)}`);
  if (!stdout.startsWith('{')) throw new Error(`it ended with ${code}: ${stderr.slice(-2000)}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8')) as Record<
    'userCPUTime' | 'systemCPUTime' | 'maxRSS',
    number
  >;
  return {
    code,
    report: JSON.parse(stdout) as RunReport,
    stderr,
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    peakBytes: maxRSS * 1024,
  };
}
