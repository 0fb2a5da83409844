import { openUpstream, type Upstream, withSchemes } from '../../cache/index.ts';
import { FtpClient, GopherClient } from '../../fetch/index.ts';
import { systemClock } from '../../kernel/index.ts';
import type { EffectiveConfig } from '../config/config.ts';

// One client that takes its time keeps nobody else from the same server.
const ftpConnections = { perServer: 4, connections: 64 };

/** How a cache asks origins and peers: by HTTP, and as a proxy by FTP and Gopher too. */
export function openCacheUpstream(config: EffectiveConfig, allowHosts: readonly string[]): Upstream {
  const connectTimeoutMs = config.seconds('cache.connect-timeout') * 1000;
  const silenceMs = config.seconds('cache.silence') * 1000;
  const http = openUpstream({ allowHosts, connectTimeoutMs, silenceMs });
  if (!config.flag('cache.proxy')) return http;
  // A proxy asks when somebody wants something: no crawler's courtesy keeps them waiting.
  const asking = { allowHosts, connectTimeoutMs, idleTimeoutMs: silenceMs, delayMs: 0, clock: systemClock };
  const ftp = new FtpClient({ ...asking, ...ftpConnections });
  const upstream = withSchemes(
    http,
    { ftp, gopher: new GopherClient(asking) },
    { allowHosts, clock: systemClock, freshSeconds: config.seconds('cache.ftp-fresh') },
  );
  return {
    send: upstream.send,
    [Symbol.asyncDispose]: async () => {
      await upstream[Symbol.asyncDispose]();
      await ftp[Symbol.asyncDispose]();
    },
  };
}
