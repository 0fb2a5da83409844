import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Finding, faulty, well } from './doctor-check.ts';

/** What the system says when a port is opened: undefined when it could be. */
export async function portProblem(
  port: number,
  { host, udp = false }: { readonly host: string; readonly udp?: boolean },
): Promise<'taken' | 'denied' | 'elsewhere' | undefined> {
  try {
    if (udp) {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      try {
        socket.bind({ port, address: host, exclusive: true });
        await once(socket, 'listening');
      } finally {
        socket.close();
      }
    } else {
      const server = createServer();
      server.listen(port, host);
      await once(server, 'listening');
      server.close();
    }
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') return 'denied';
    return code === 'EADDRNOTAVAIL' ? 'elsewhere' : 'taken';
  }
}

/** Whether a port that a server is known to want can be had. */
export async function wantedPort(
  port: number,
  wanted: { readonly host: string; readonly udp?: boolean; readonly option: string; readonly what: string },
): Promise<Finding> {
  const { host, udp = false, option, what } = wanted;
  const named = `${udp ? 'UDP port' : 'port'} ${port}`;
  switch (await portProblem(port, { host, udp })) {
    case undefined:
      return well(`${named} is free for ${what}`);
    case 'denied':
      return faulty(
        `${named}, for ${what}, may not be opened by this user`,
        `take one above 1023, such as ${option} ${port + 8000}, or let the service have CAP_NET_BIND_SERVICE`,
      );
    case 'elsewhere':
      return faulty(
        `${host}, where ${what} are to be answered, is no address of this machine`,
        'set http.host (cache.udp-host) to an address of this machine, or to 0.0.0.0',
      );
    case 'taken':
      return faulty(
        `${named}, for ${what}, is in use by another program`,
        `end that program, or take another port: ${option} ${port + 100}`,
      );
  }
}
