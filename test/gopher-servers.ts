// Debian's Gopher servers on loopback.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort } from './commands/command.ts';

const gophernicus = '/usr/sbin/gophernicus';
const pygopherd = '/usr/sbin/pygopherd';

/** The reason why tests with these cannot run here, or undefined. */
export function missingGopher(): string | undefined {
  const missing = [gophernicus, pygopherd].filter((path) => !existsSync(path));
  return missing.length === 0 ? undefined : `SKIPPED: apt-get install gophernicus pygopherd`;
}

/** Debian's gophernicus, which serves on standard input and output, and its number of requests. */
export async function openGophernicus(root: string) {
  // It refuses to serve as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const args = ['-h', '127.0.0.1', '-r', root, '-nv', '-nu', '-nx', '-nf', '-p', String(socket.localPort)];
    const child = spawn(gophernicus, args, { ...user, stdio: 'pipe' });
    socket.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `gopher://127.0.0.1:${port}/`,
    get connections() {
      return connections;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Debian's pygopherd over a folder; `home` is for its own files. */
export async function openPygopherd(
  home: string,
  root: string,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const port = await freePort();
  const set: Record<string, string> = {
    ...{ port: String(port), root, usechroot: 'no', pidfile: join(home, 'pygopherd.pid'), logmethod: 'file' },
    // It may read its menu cache half-written, and then closes without an answer.
    ...{ servertype: 'ThreadingTCPServer', cachetime: '0' },
  };
  const config = Object.entries(set).reduce(
    (text, [key, value]) => text.replace(new RegExp(`^${key} = .*$`, 'm'), `${key} = ${value}`),
    readFileSync('/etc/pygopherd/pygopherd.conf', 'utf8').replace(
      '[pygopherd]',
      '[pygopherd]\nservername = 127.0.0.1\ninterface = 127.0.0.1',
    ),
  );
  const file = join(home, 'pygopherd.conf');
  writeFileSync(file, config);
  const child = spawn(pygopherd, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const closed = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !(await answers(port)));
  if (child.exitCode !== null) throw new Error(`pygopherd did not start: ${said}`);
  return {
    url: `gopher://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
