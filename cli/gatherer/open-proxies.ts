import { Proxies, proxyFromEnvironment } from '../../fetch/index.ts';
import type { EffectiveConfig } from '../config/config.ts';

/** What requests are led through: an object cache, proxies of the settings or of the environment. Throws FETCH_PROXY. */
export function openProxies(config: EffectiveConfig): Proxies {
  const of = (name: string) => config.text(`fetch.${name}`) || undefined;
  const [http, https] = [of('http-proxy'), of('https-proxy')];
  const none = config.list('fetch.no-proxy');
  const environment = proxyFromEnvironment(process.env);
  return new Proxies(
    {
      ...environment,
      ...(http === undefined ? {} : { http }),
      ...(https === undefined ? {} : { https }),
      ...(none.length === 0 ? {} : { none }),
      cache: config.text('fetch.cache'),
    },
    {
      connections: config.count('fetch.connections'),
      headersTimeoutMs: config.seconds('fetch.headers-timeout') * 1000,
      idleTimeoutMs: config.seconds('fetch.idle-timeout') * 1000,
      connectTimeoutMs: config.seconds('fetch.connect-timeout') * 1000,
    },
  );
}
