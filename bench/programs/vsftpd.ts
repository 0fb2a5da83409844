import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithUs } from '../harness/child.ts';
import { treeCpuSeconds, treeOf } from '../harness/process-tree.ts';
import { cpuSecondsOf } from '../harness/process-usage.ts';

export const vsftpdProgram = '/usr/sbin/vsftpd';

const startMs = 10_000;
const restMs = 10_000;

/** PR_SET_CHILD_SUBREAPER is option 36 of prctl; the number of the system call depends on the architecture. */
const prctl = new Map([
  ['x64', 157],
  ['arm64', 167],
]).get(process.arch);

/** Waits for every orphan below it, so that the CPU of processes without a waiting parent is counted. */
const reaper = `
syscall(${prctl ?? 0}, 36, 1, 0, 0, 0) == 0 or die 'no subreaper';
my $server = fork // die 'fork';
if ($server == 0) { exec @ARGV or die 'exec' }
$SIG{TERM} = sub { kill 'TERM', $server };
while (1) { last if wait() < 0 && !$!{EINTR} }
`;

/** The reason why FTP cannot be measured here, or undefined. */
export function vsftpdAbsent(): string | undefined {
  if (!existsSync(vsftpdProgram)) return 'SKIPPED, vsftpd is not installed';
  if (prctl === undefined || !existsSync('/usr/bin/perl'))
    return 'SKIPPED, perl is not installed, which waits for the processes of vsftpd';
  return undefined;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Debian's vsftpd over a folder for anonymous users, with or without its default namespaces. */
export class Vsftpd implements AsyncDisposable {
  /** The URL of the folder; ends in `/`. */
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(folder: string, root: string, isolated: boolean): Promise<Vsftpd> {
    await mkdir(join(folder, 'empty'), { recursive: true });
    const port = await freePort();
    const isolation = isolated ? 'YES' : 'NO';
    const settings = {
      ...{ listen: 'YES', listen_address: '127.0.0.1', listen_port: port, background: 'NO' },
      ...{ anonymous_enable: 'YES', local_enable: 'NO', anon_root: root },
      ...{
        secure_chroot_dir: join(folder, 'empty'),
        run_as_launching_user: process.getuid?.() === 0 ? 'NO' : 'YES',
      },
      ...{ isolate: isolation, isolate_network: isolation, xferlog_enable: 'NO', connect_from_port_20: 'NO' },
    };
    const file = join(folder, 'vsftpd.conf');
    const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(file, lines.join(''), { mode: 0o600 });
    const child = spawn('/usr/bin/perl', ['-MErrno', '-e', reaper, vsftpdProgram, file], { stdio: 'ignore' });
    endsWithUs(child);
    await answering(child, port);
    return new Vsftpd(child, `ftp://127.0.0.1:${port}/`);
  }

  /** CPU seconds of all its processes so far, those that have ended included. */
  get cpuSeconds(): number {
    const reaperPid = this.#child.pid as number;
    return treeCpuSeconds(reaperPid) - cpuSecondsOf(reaperPid);
  }

  /** Wait until no connection has a process: only then is the CPU of these processes counted. */
  async rest(): Promise<void> {
    const deadline = performance.now() + restMs;
    // The reaper and the listener keep running.
    while (treeOf(this.#child.pid as number).length > 2) {
      if (performance.now() > deadline) throw new Error('vsftpd keeps processes of closed connections');
      await sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
  }
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + startMs;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const greeted = await once(socket, 'data').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (greeted) return;
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('vsftpd did not start');
    await sleep(20);
  }
}
