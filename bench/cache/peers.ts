import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The inputs of a peer's configuration. */
export interface PeerPlace {
  /** The peer's own, existing. */
  readonly folder: string;
  readonly port: number;
  readonly originPort: number;
}

/** A cache of a Debian package, in memory or as near to that as it can, without a log. */
export interface CachePeer {
  readonly name: 'squid' | 'nginx' | 'varnish' | 'trafficserver';
  readonly program: string;
  /** The flag that prints its version. */
  readonly flag: string;
  /** Write its configuration; resolves to its arguments. */
  readonly configure: (place: PeerPlace) => Promise<readonly string[]>;
}

const isRoot = process.getuid?.() === 0;

const squid: CachePeer = {
  name: 'squid',
  program: '/usr/sbin/squid',
  flag: '-v',
  configure: async ({ folder, port, originPort }) => {
    const file = join(folder, 'squid.conf');
    await writeFile(
      file,
      `http_port 127.0.0.1:${port} accel defaultsite=127.0.0.1:${originPort} no-vhost
cache_peer 127.0.0.1 parent ${originPort} 0 no-query no-digest originserver name=origin
http_access allow all
cache_mem 256 MB
maximum_object_size_in_memory 1 MB
memory_cache_mode always
access_log none
cache_store_log none
cache_log /dev/null
pid_filename none
netdb_filename none
coredump_dir none
shutdown_lifetime 1 seconds
max_filedescriptors 4096
visible_hostname bench
pinger_enable off
`,
    );
    // Its shared memory has this name: two with the same name cannot run at once.
    return ['-N', '-n', `garner${port}`, '-f', file];
  },
};

const nginx: CachePeer = {
  name: 'nginx',
  program: '/usr/sbin/nginx',
  flag: '-v',
  configure: async ({ folder, port, originPort }) => {
    const file = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    // With tcp_nopush answers of 100 KiB wait for 40 ms; with use_temp_path=off a miss costs twice as much.
    await writeFile(
      file,
      `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
${isRoot ? 'user root;' : ''}
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush off; keepalive_requests 100000000; keepalive_timeout 600s;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  proxy_cache_path ${folder}/cache levels=1:2 keys_zone=bench:64m max_size=2g;
  upstream origin { server 127.0.0.1:${originPort}; keepalive 64; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_cache bench;
    }
  }
}
`,
    );
    return ['-p', folder, '-c', file, '-e', join(folder, 'error.log')];
  },
};

const varnish: CachePeer = {
  name: 'varnish',
  program: '/usr/sbin/varnishd',
  flag: '-V',
  configure: async ({ folder, port, originPort }) => [
    ...['-F', '-j', 'none', '-n', join(folder, 'work')],
    ...['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${originPort}`, '-s', 'malloc,256m'],
  ],
};

const trafficserver: CachePeer = {
  name: 'trafficserver',
  program: '/usr/bin/traffic_server',
  flag: '--version',
  configure: async ({ folder, port, originPort }) => {
    const places = {
      sysconfdir: 'etc',
      datadir: 'data',
      runtimedir: 'run',
      logdir: 'log',
      cachedir: 'cache',
    };
    for (const place of Object.values(places)) await mkdir(join(folder, place));
    const etc = join(folder, 'etc');
    await cp('/etc/trafficserver', etc, { recursive: true });
    const layout = {
      ...{ prefix: folder, exec_prefix: folder, localstatedir: folder, includedir: '/usr/include' },
      ...{ bindir: '/usr/bin', sbindir: '/usr/sbin', libdir: '/usr/lib/trafficserver' },
      libexecdir: '/usr/lib/trafficserver/modules',
      ...Object.fromEntries(Object.entries(places).map(([key, place]) => [key, join(folder, place)])),
    };
    const lines = Object.entries(layout).map(([key, path]) => `${key}: ${path}\n`);
    await writeFile(join(folder, 'runroot.yaml'), lines.join(''));
    const records = {
      'http.server_ports': `STRING ${port}:ip-in=127.0.0.1`,
      'exec_thread.autoconfig.enabled': 'INT 0',
      'exec_thread.limit': 'INT 1',
      'admin.user_id': 'STRING #-1',
      'log.logging_enabled': 'INT 0',
      'cache.ram_cache.size': `INT ${256 * 2 ** 20}`,
      'http.wait_for_cache': 'INT 1',
      'http.keep_alive_no_activity_timeout_in': 'INT 600',
      core_limit: 'INT 0',
    };
    await writeFile(
      join(etc, 'records.config'),
      Object.entries(records)
        .map(([key, value]) => `CONFIG proxy.config.${key} ${value}\n`)
        .join(''),
    );
    await writeFile(
      join(etc, 'remap.config'),
      `map http://127.0.0.1:${port}/ http://127.0.0.1:${originPort}/\n`,
    );
    await writeFile(join(etc, 'storage.config'), `${join(folder, 'cache')} 1G\n`);
    return [`--run-root=${folder}`];
  },
};

/** The caches that Garner is compared with. */
export const cachePeers: readonly CachePeer[] = [squid, nginx, varnish, trafficserver];
