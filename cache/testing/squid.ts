import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/sbin/squid';

/** Why a test with squid cannot run here, or false: for the option `skip`. */
export const withoutSquid = existsSync(program) ? false : 'SKIPPED: apt-get install squid';

/** Squid drops datagrams from its own address, whatever the port: it is here, ours is on another address of loopback. */
export const squidHost = '127.0.0.1';

/** Debian's user for squid, which owns its files when the tests run as root. */
const squidUser = 'proxy';

/** A free TCP and UDP port. */
async function freePort(host: string): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const socket = createSocket('udp4');
    const bound = Promise.race([once(socket, 'listening'), once(socket, 'error')]);
    socket.bind({ port, address: host, exclusive: true });
    const [error] = await bound;
    await Promise.all([
      new Promise((resolve) => server.close(resolve)),
      new Promise<void>((resolve) => socket.close(() => resolve())),
    ]);
    if (error === undefined) return port;
  }
}

/** Where a squid will be, before it is started: its peers must know. */
export interface SquidPorts {
  readonly http: number;
  readonly icp: number;
  readonly htcp: number;
}

export async function squidPorts(): Promise<SquidPorts> {
  return {
    http: await freePort(squidHost),
    icp: await freePort(squidHost),
    htcp: await freePort(squidHost),
  };
}

/** Debian's squid with a store on disk of its own, on loopback, in the foreground. */
export class Squid implements AsyncDisposable {
  readonly ports: SquidPorts;
  readonly folder: string;
  readonly #process: ChildProcess;
  readonly #service: string;

  private constructor(
    ports: SquidPorts,
    folder: string,
    { child, service }: { readonly child: ChildProcess; readonly service: string },
  ) {
    this.ports = ports;
    this.folder = folder;
    this.#process = child;
    this.#service = service;
  }

  /** Start one with these lines in its configuration, and wait until it takes connections. */
  static async start(ports: SquidPorts, lines: readonly string[]): Promise<Squid> {
    const folder = await mkdtemp(join(tmpdir(), 'garner-squid-'));
    const root = process.getuid?.() === 0;
    const config = join(folder, 'squid.conf');
    await writeFile(
      config,
      [
        `http_port ${squidHost}:${ports.http}`,
        `icp_port ${ports.icp}`,
        `htcp_port ${ports.htcp}`,
        `udp_incoming_address ${squidHost}`,
        'visible_hostname squid.test',
        'icp_access allow all',
        'htcp_access allow all',
        'htcp_clr_access allow all',
        'http_access allow all',
        'miss_access allow all',
        // Origins on loopback are near by its own measuring, and peers would be passed over.
        'minimum_direct_rtt 0',
        'prefer_direct off',
        'nonhierarchical_direct off',
        'icp_query_timeout 2000',
        'pinger_enable off',
        'netdb_filename none',
        'pid_filename none',
        'shutdown_lifetime 0 seconds',
        'cache_mem 16 MB',
        `cache_dir ufs ${folder}/store 20 4 4`,
        `coredump_dir ${folder}`,
        `cache_log ${folder}/cache.log`,
        `access_log stdio:${folder}/access.log`,
        'cache_store_log none',
        'digest_rebuild_period 2 seconds',
        'digest_rewrite_period 2 seconds',
        ...(root ? [`cache_effective_user ${squidUser}`] : []),
        ...lines,
        '',
      ].join('\n'),
    );
    if (root) {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(spawnSync('id', [flag, squidUser], { encoding: 'utf8' }).stdout.trim()),
      );
      await chown(folder, uid ?? 0, gid ?? 0);
      await chmod(folder, 0o755);
    }
    // Shared memory is named by the service, and what is killed leaves it behind.
    const service = `garner${randomBytes(6).toString('hex')}`;
    const made = spawnSync(program, ['-N', '-z', '-n', service, '-f', config], { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`squid -z: ${made.stdout}${made.stderr}`);
    const child = spawn(program, ['-N', '-n', service, '-f', config], { stdio: 'ignore' });
    const squid = new Squid(ports, folder, { child, service });
    for (let tries = 0; !(await squid.#takesConnections()); tries++) {
      if (child.exitCode !== null || tries > 400) {
        const log = await squid.log();
        await squid[Symbol.asyncDispose]();
        throw new Error(`squid does not start: ${log}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    return squid;
  }

  #takesConnections(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.ports.http, squidHost);
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('close', () => resolve(false)).once('connect', () => socket.destroy());
    });
  }

  /**
   * Its access log as `URL result from` for each request, as `http://x/ TCP_MISS/200 SIBLING_HIT/127.0.0.2`, once there
   * are so many: a request is written down a little after it was answered.
   */
  async transcript(count: number): Promise<readonly string[]> {
    for (let tries = 0; ; tries++) {
      const lines = await this.#accesses();
      if (lines.length >= count || tries >= 200) return lines;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async #accesses(): Promise<readonly string[]> {
    const text = await readFile(join(this.folder, 'access.log'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((words) => words.length >= 9 && !words[6]?.startsWith('error:'))
      .map((words) => `${words[6]} ${words[3]} ${words[8]}`);
  }

  log(): Promise<string> {
    return readFile(join(this.folder, 'cache.log'), 'utf8').catch(() => '');
  }

  /** Stop it as a crash would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
    const shared = (await readdir('/dev/shm')).filter((name) => name.startsWith(`${this.#service}-`));
    for (const name of shared) await rm(join('/dev/shm', name), { force: true });
  }
}
