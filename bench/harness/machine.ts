import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** The machine and the software of a benchmark. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly os: string;
  readonly kernel: string;
  readonly node: string;
  /** Version by name. */
  readonly libraries: Readonly<Record<string, string>>;
  readonly peers: Readonly<Record<string, string>>;
}

const libraries = [
  ...['level', 'ws', 'msgpackr', 'flexsearch', 'htmlparser2', 'undici', 'fastify', 'zlib-sync'],
] as const;

/** The folder of package.json, independent of the build folder. */
export function packageFolder(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) return at;
    if (at === dirname(at)) throw new TypeError('the package has no package.json');
  }
}

function versionIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function osName(): string {
  const file = '/etc/os-release';
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? process.platform;
}

/** The version a program prints with `flag` on either stream, or undefined when it is not installed. */
function versionOf(program: string, flag: string): string | undefined {
  const { stdout, stderr, error } = spawnSync(program, [flag], { encoding: 'utf8' });
  return error === undefined ? /\d+(\.\d+)+/.exec(stdout + stderr)?.[0] : undefined;
}

/** Describe this machine; `peers` are programs with the flag that makes them print their version. */
export function describeMachine(peers: Readonly<Record<string, readonly [string, string]>>): Machine {
  const folder = packageFolder();
  const found: Record<string, string> = { Garner: versionIn(join(folder, 'package.json')) ?? '?' };
  for (const name of libraries)
    found[name] = versionIn(join(folder, 'node_modules', name, 'package.json')) ?? 'absent';
  const beside: Record<string, string> = {};
  for (const [name, [program, flag]] of Object.entries(peers)) {
    const version = versionOf(program, flag);
    if (version !== undefined) beside[name] = version;
  }
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: osName(),
    kernel: release(),
    node: process.versions.node,
    libraries: found,
    peers: beside,
  };
}
