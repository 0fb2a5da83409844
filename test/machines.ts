import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finished } from './commands/command.ts';
import { runInstalled } from './installed-program.ts';
import { root as checkout } from './manual-pages.ts';

// Machines on this computer, joined by a bridge. Each has a network, processes, a name and a disk of its own. A disk begins
// as this computer's, with what was prepared for all, and its changes are in memory. All ends with the processes.

/** The user of each machine. */
const user = 4321;

/** What a shell of a machine finds in its environment. */
const environment = [
  '/usr/bin/env',
  '-i',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
];

const patienceMs = 120_000;

/** A disk `$disk` whose changes are in a folder of its own, over the folders `$lower`. */
const mountDisk = `
mkdir -p "$scratch/$disk/changes" "$scratch/$disk/work" "$scratch/$disk/root"
mount -t overlay overlay "$scratch/$disk/root" \\
  -o "lowerdir=$lower,upperdir=$scratch/$disk/changes,workdir=$scratch/$disk/work"
cd "$scratch/$disk/root"
mount --rbind /dev dev`;

const holderScript = `
set -e
mount -t tmpfs -o mode=755 machines "$scratch"
ip link add bridge type bridge
ip link set bridge up
echo ready
exec cat`;

/** The user, and a sudo for this user without a password: a shell that may become root. */
const prepareScript = `
set -e
${mountDisk}
mount -t proc proc proc
cat /etc/resolv.conf > etc/resolv.conf
printf '127.0.0.1 localhost\\n' > etc/hosts
printf 'you:x:${user}:${user}::/home/you:/bin/bash\\n' >> etc/passwd
printf 'you:x:${user}:\\n' >> etc/group
mkdir home/you
[ "$#" = 0 ] || cp "$@" home/you
chown -R ${user}:${user} home/you
[ usr/local/bin/node -ef "$node" ] || ln -sf "$node" usr/local/bin/node
mkdir -p usr/local/lib/garner-test
cp --remove-destination "$(readlink -f /bin/bash)" usr/local/lib/garner-test/become-root
chmod 4755 usr/local/lib/garner-test/become-root
rm -f usr/local/bin/sudo
cat > usr/local/bin/sudo <<'END'
#!/bin/sh
exec /usr/local/lib/garner-test/become-root -p -c \\
  'exec setpriv --reuid=0 --regid=0 --clear-groups env HOME=/root "$@"' sudo "$@"
END
chmod 755 usr/local/bin/sudo
exec chroot . ${environment.join(' ')} HOME=/home/you npm_config_globalconfig="$npmrc" \\
  setpriv --reuid=${user} --regid=${user} --clear-groups bash -c 'cd; eval "$0"' "$line"`;

const machineScript = `
set -e
${mountDisk}
ip link set lo up
ip link add eth0 type veth peer name "$disk" netns "$holder"
ip address add "$address/24" dev eth0
ip link set eth0 up
nsenter --target "$holder" --net ip link set "$disk" master bridge up
hostname "$disk"
exec unshare --pid --fork --kill-child bash -c '
set -e
mount -t proc proc proc
for hidden in tmp run ".$checkout"; do [ ! -d "$hidden" ] || mount -t tmpfs tmpfs "$hidden"; done
chmod 1777 tmp
exec chroot . ${environment.join(' ')} HOME=/home/you NO_COLOR=1 bash -c "
nginx
cd /home/you
exec setpriv --reuid=${user} --regid=${user} --clear-groups bash -m"'`;

/** The reason why there can be no machines here, or undefined. */
export function missingMachines(): string | undefined {
  const attempt =
    'ip link add bridge type bridge && mount -t tmpfs t /mnt && mkdir /mnt/a /mnt/b /mnt/c && ' +
    'mount -t overlay o /mnt/c -o lowerdir=/,upperdir=/mnt/a,workdir=/mnt/b';
  try {
    if (process.getuid?.() !== 0) throw new Error('only root has them');
    execFileSync('unshare', ['--mount', '--net', '--uts', 'bash', '-c', attempt], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'network namespaces are not here';
  }
}

/** A machine with a shell that runs one command after the other, as in one terminal of its user. */
export class Machine implements AsyncDisposable {
  readonly name: string;
  readonly #shell: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<void>;
  readonly #heard = new EventEmitter();
  #out = { stdout: '', stderr: '' };

  constructor(name: string, shell: ChildProcessWithoutNullStreams) {
    this.name = name;
    this.#shell = shell;
    for (const stream of ['stdout', 'stderr'] as const)
      shell[stream].setEncoding('utf8').on('data', (text: string) => {
        this.#out[stream] += text;
        this.#heard.emit('output');
      });
    shell.stdin.on('error', () => {});
    this.#closed = new Promise((resolve) =>
      shell.once('close', () => {
        this.#heard.emit('output');
        resolve();
      }),
    );
  }

  /** Run a line to its end; what it leaves in the background goes on. */
  async run(line: string): Promise<Finished> {
    const timer = setTimeout(() => this.#shell.kill('SIGKILL'), patienceMs);
    this.#out = { stdout: '', stderr: '' };
    const mark = '\n==ended==';
    this.#shell.stdin.write(
      `{\n${line}\n} < /dev/null\ncode=$?; printf '${mark.replace('\n', '\\n')}%s\\n' $code; printf '${mark.replace('\n', '\\n')}\\n' >&2\n`,
    );
    const ended = () => /\n==ended==(\d+)\n$/.exec(this.#out.stdout);
    try {
      for (;;) {
        const [, code] = ended() ?? [];
        const { stdout, stderr } = this.#out;
        if (code !== undefined && stderr.endsWith(`${mark}\n`))
          return {
            ...{ code: Number(code), stdout: stdout.slice(0, stdout.lastIndexOf(mark)) },
            stderr: stderr.slice(0, stderr.lastIndexOf(mark)),
          };
        if (this.#shell.exitCode !== null || this.#shell.signalCode !== null)
          throw new Error(`${this.name} ended in ${line}\n${stdout}${stderr}`);
        await new Promise<void>((resolve) => this.#heard.once('output', () => resolve()));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Turn it off. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.kill('SIGKILL');
    await this.#closed;
  }
}

/** A network of machines. */
export class MachineNetwork implements AsyncDisposable {
  readonly #scratch: string;
  readonly #holder: ChildProcessWithoutNullStreams;
  readonly #machines: Machine[] = [];

  private constructor(scratch: string, holder: ChildProcessWithoutNullStreams) {
    this.#scratch = scratch;
    this.#holder = holder;
  }

  static async open(): Promise<MachineNetwork> {
    const scratch = await mkdtemp(join(tmpdir(), 'garner-machines-'));
    const holder = spawn('unshare', ['--mount', '--net', 'bash', '-c', holderScript], {
      env: { ...process.env, scratch },
    });
    const network = new MachineNetwork(scratch, holder);
    let stderr = '';
    holder.stderr.on('data', (text) => {
      stderr += text;
    });
    const isReady = await new Promise<boolean>((resolve) => {
      holder.stdout.once('data', () => resolve(true));
      holder.once('close', () => resolve(false));
    });
    if (isReady) return network;
    await rmdir(scratch);
    throw new Error(`no network of machines: ${stderr}`);
  }

  #line(script: string, ...ownNamespaces: readonly string[]): string[] {
    const holders = ['nsenter', `--target=${this.#holder.pid}`, '--mount'];
    return [...holders, 'unshare', '--mount', ...ownNamespaces, 'bash', '-c', script, 'bash'];
  }

  #environment(own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const known = { scratch: this.#scratch, holder: String(this.#holder.pid), checkout };
    return { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...known, ...own };
  }

  /** Before any machine starts: put files into the home folder of each, and run a line there, with this computer's network. */
  async prepare(files: readonly string[], line: string): Promise<void> {
    const { stdout: npmrc } = await runInstalled(['npm', 'config', 'get', 'globalconfig'], { cwd: checkout });
    const own = { disk: 'all', lower: '/', node: process.execPath, npmrc: npmrc.trim(), line };
    await runInstalled([...this.#line(prepareScript), ...files], { env: this.#environment(own) });
  }

  /** Start a machine with nginx. */
  async start(name: string, address: string): Promise<Machine> {
    const [program = '', ...args] = this.#line(machineScript, '--net', '--uts');
    const own = { disk: name, lower: `${this.#scratch}/all/changes:/`, address };
    const machine = new Machine(name, spawn(program, args, { env: this.#environment(own) }));
    this.#machines.push(machine);
    await machine.run('true');
    return machine;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const machine of this.#machines) await machine[Symbol.asyncDispose]();
    const closed = new Promise((resolve) => this.#holder.once('close', resolve));
    this.#holder.kill('SIGKILL');
    await closed;
    await rmdir(this.#scratch);
  }
}
