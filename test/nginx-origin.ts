import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, temporaryFolder } from './commands/command.ts';

const nginx = '/usr/sbin/nginx';

/** The reason why a test with nginx cannot run here, or undefined. */
export function missingNginx(): string | undefined {
  return existsSync(nginx) ? undefined : 'SKIPPED: apt-get install nginx';
}

/** One request of the access log. */
export interface Request {
  readonly status: number;
  readonly bodyBytes: number;
  readonly path: string;
}

/** Debian's nginx in front of a folder, in the foreground of its own process. */
export interface NginxOrigin extends AsyncDisposable {
  readonly url: string;
  /** Requests since the last call. */
  requests(): Request[];
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

/** Serve a folder with Debian's nginx, with further directives of its server, on a free port of 127.0.0.1. */
export async function openNginx(root: string, directives = ''): Promise<NginxOrigin> {
  const folder = await temporaryFolder();
  const port = await freePort();
  const path = (name: string) => join(folder.path, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    path('nginx.conf'),
    `daemon off; master_process off; pid ${path('pid')}; error_log ${path('error.log')};
    events { worker_connections 64; }
    http {
      include /etc/nginx/mime.types;
      log_format line '$status $body_bytes_sent $request_uri'; access_log ${path('access.log')} line;
      ${temporary.map((name) => `${name}_temp_path ${path(name)};`).join(' ')}
      gzip on;
      server { listen 127.0.0.1:${port}; root ${root}; ${directives} }
    }`,
  );
  const child = spawn(nginx, ['-p', folder.path, '-c', path('nginx.conf'), '-e', path('error.log')]);
  const closed = new Promise((resolve) => child.once('close', resolve));
  while (child.exitCode === null && !(await listens(port)));
  if (child.exitCode !== null)
    throw new Error(`nginx did not start: ${readFileSync(path('error.log'), 'utf8')}`);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: () => {
      const lines = readFileSync(path('access.log'), 'utf8').split('\n').filter(Boolean);
      writeFileSync(path('access.log'), '');
      return lines.map((line) => {
        const [status, bodyBytes, ...rest] = line.split(' ');
        return { status: Number(status), bodyBytes: Number(bodyBytes), path: rest.join(' ') };
      });
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await closed;
      await folder[Symbol.asyncDispose]();
    },
  };
}
