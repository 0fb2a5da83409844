// Debian's servers on loopback, each in its own process, so that a test can stop one while others run.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../commands/command.ts';

const [nginx, vsftpd] = ['/usr/sbin/nginx', '/usr/sbin/vsftpd'];

/** The reason why tests with all of these cannot run here, or undefined. */
export function missingServers(): string | undefined {
  const missing = Object.entries({ nginx, vsftpd, git: '/usr/bin/git' }).filter(
    ([, path]) => !existsSync(path),
  );
  return missing.length === 0
    ? undefined
    : `SKIPPED: apt-get install ${missing.map(([name]) => name).join(' ')}`;
}

/** A running server. */
export interface RunningServer extends AsyncDisposable {
  readonly url: string;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

async function running(child: ChildProcess, scheme: string, port: number): Promise<RunningServer> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += String(text)));
  while (child.exitCode === null && !(await listens(port)));
  if (child.exitCode !== null) throw new Error(`the ${scheme} server did not start: ${said}`);
  return {
    url: `${scheme}://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** vsftpd over a folder, for anonymous users; `home` is for its own files. */
export async function serveFtp(home: string, root: string): Promise<RunningServer> {
  mkdirSync(join(home, 'empty'), { recursive: true });
  const port = await freePort();
  const settings = {
    listen: 'YES',
    listen_address: '127.0.0.1',
    listen_port: port,
    background: 'NO',
    anonymous_enable: 'YES',
    local_enable: 'NO',
    anon_root: root,
    run_as_launching_user: 'YES',
    secure_chroot_dir: join(home, 'empty'),
    seccomp_sandbox: 'NO',
    vsftpd_log_file: join(home, 'log'),
    connect_from_port_20: 'NO',
  };
  const file = join(home, 'vsftpd.conf');
  writeFileSync(
    file,
    Object.entries(settings)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  );
  return running(spawn(vsftpd, [file]), 'ftp', port);
}

/** nginx over a folder, where `private/` asks for a user and a password; `home` is for its own files. */
export async function serveWeb(
  home: string,
  root: string,
  { user, password }: { readonly user: string; readonly password: string },
): Promise<RunningServer & { readonly accessLog: string }> {
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  const path = (name: string) => join(home, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(path('users'), `${user}:{PLAIN}${password}\n`);
  writeFileSync(
    path('nginx.conf'),
    `daemon off; master_process off; pid ${path('pid')}; error_log ${path('error.log')};
    events { worker_connections 64; }
    http {
      include /etc/nginx/mime.types;
      log_format line '$status $request_uri'; access_log ${path('access.log')} line;
      ${temporary.map((name) => `${name}_temp_path ${path(name)};`).join(' ')}
      server {
        listen 127.0.0.1:${port}; root ${root};
        location /private/ { auth_basic "members"; auth_basic_user_file ${path('users')}; }
      }
    }`,
  );
  const server = await running(
    spawn(nginx, ['-p', home, '-c', path('nginx.conf'), '-e', path('error.log')]),
    'http',
    port,
  );
  return { ...server, accessLog: path('access.log') };
}
