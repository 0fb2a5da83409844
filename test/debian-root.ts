import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type InstalledServer, programPath, runInstalled, startInstalled } from './installed-program.ts';

// A Debian system in a folder, for tests that install a package. Mounts are made in a mount namespace of each command,
// so that they end with it.

const suite = 'bookworm';
const mirror = 'http://deb.debian.org/debian';

/** A fresh Debian system with what a minimal one has. */
export class DebianRoot {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** A path within, as this machine has it. */
  at(path: string): string {
    return join(this.path, path);
  }

  /** The command line that runs one within, as root or as a user of this system. */
  #line(line: readonly string[], user: string): string[] {
    const mounted = 'mount -t proc proc "$0/proc" && exec chroot "$@"';
    const environment = [
      '/usr/bin/env',
      '-i',
      'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'NO_COLOR=1',
    ];
    const chosen = [
      `--userspec=${user}:${user}`,
      this.path,
      ...environment,
      'DEBIAN_FRONTEND=noninteractive',
    ];
    return ['unshare', '--mount', '/bin/sh', '-c', mounted, this.path, ...chosen, ...line];
  }

  /** Run a command within that must succeed; resolves to its standard output. */
  async run(line: readonly string[], user = 'root'): Promise<string> {
    return (await runInstalled(this.#line(line, user))).stdout;
  }

  /** Start a server within, on this machine's network. */
  start<Ready>(line: readonly string[], user: string): Promise<InstalledServer<Ready>> {
    return startInstalled<Ready>(this.#line(line, user));
  }

  /** Install package files of this machine. */
  async install(...packages: readonly string[]): Promise<void> {
    for (const path of packages) {
      await copyFile(path, this.at('tmp/package.deb'));
      await this.run(['dpkg', '--force-unsafe-io', '--install', '/tmp/package.deb']);
      await rm(this.at('tmp/package.deb'));
    }
  }
}

/** Make a Debian system in a folder; undefined where this machine or its network cannot. */
export async function makeDebianRoot(folder: string): Promise<DebianRoot | undefined> {
  const debootstrap = await programPath('debootstrap');
  if (debootstrap === undefined || process.getuid?.() !== 0) return undefined;
  try {
    await runInstalled([
      ...['unshare', '--mount', '/bin/sh', debootstrap, '--variant=minbase', suite, folder, mirror],
    ]);
  } catch {
    return undefined;
  }
  return new DebianRoot(folder);
}

/**
 * Build a package `nodejs` that holds this machine's node under its version: a Debian system of this suite has an older
 * one. Resolves to its path.
 */
export async function buildNodePackage(folder: string): Promise<string> {
  const staging = join(folder, 'nodejs');
  await mkdir(join(staging, 'usr/bin'), { recursive: true });
  await mkdir(join(staging, 'DEBIAN'));
  await copyFile(process.execPath, join(staging, 'usr/bin/node'));
  const { stdout } = await runInstalled(['dpkg', '--print-architecture']);
  const control = [
    'Package: nodejs',
    `Version: ${process.versions.node}`,
    `Architecture: ${stdout.trim()}`,
    'Maintainer: A test <test@example.org>',
    'Depends: libc6, libstdc++6',
    'Description: the node of the machine that runs the test',
    '',
  ];
  await writeFile(join(staging, 'DEBIAN/control'), control.join('\n'));
  const path = join(folder, 'nodejs.deb');
  await runInstalled(['dpkg-deb', '--root-owner-group', '-Znone', '--build', staging, path]);
  await rm(staging, { recursive: true });
  return path;
}

/** The names of the users or groups of a system, with their numbers. */
export async function numbersOf(root: DebianRoot, file: 'passwd' | 'group'): Promise<Map<string, number>> {
  const lines = (await readFile(root.at(`etc/${file}`), 'utf8')).trim().split('\n');
  return new Map(lines.map((line) => [line.split(':')[0] ?? '', Number(line.split(':')[2])]));
}
