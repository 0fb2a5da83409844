import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { dataOption, dataPath } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';

/** `garner cache serve`: an accelerator, a proxy, or both. */
export const cacheServe: Verb = {
  command: 'cache serve',
  describe: 'Run an HTTP cache: an accelerator before one server, or a proxy',
  examples: [
    ['cache serve --origin http://127.0.0.1:8080 --port 3128', 'accelerator before one server'],
    [
      'cache serve --proxy --port 3128 --icp-port 3130 --parent parent.example.org:3128:3130',
      'proxy in a hierarchy',
    ],
  ],
  options: {
    data: dataOption,
    port: {
      kind: 'port',
      default: defaultPorts.cache,
      describe: 'Port of cached traffic; 0 takes any free one',
    },
    'tls-port': { kind: 'port', describe: 'Port of cached traffic over TLS; 0 takes any free one' },
    'admin-port': {
      kind: 'port',
      default: 0,
      describe: 'Local port of the status page, purging and metrics; 0 takes any free one',
    },
    'icp-port': {
      kind: 'port',
      describe: `UDP port for ICP queries of other caches (${defaultPorts.icp}); 0 takes any free one`,
    },
    'htcp-port': {
      kind: 'port',
      describe: `UDP port for HTCP queries of other caches (${defaultPorts.htcp}); 0 takes any free one`,
    },
  },
  settings: async () => {
    const { settingsOfCache } = await import('../config/all-settings.ts');
    const { httpSettings } = await import('../../http/settings.ts');
    const { registrationSettings } = await import('../../registry/settings.ts');
    // Its ports have a certificate of their own; the one for administration is on loopback only.
    const ownHttp = httpSettings.filter(({ key }) => !key.startsWith('http.tls-'));
    return [...settingsOfCache, ...ownHttp, ...registrationSettings];
  },
  shownSettings: [
    'cache.origin',
    'cache.pass-host',
    'cache.hosts',
    'cache.proxy',
    'cache.parent',
    'cache.sibling',
    'cache.name',
    'cache.memory',
    'cache.disk',
    'cache.allow-hosts',
    'cache.connect-ports',
    'cache.never-direct',
    'cache.fast-lane',
    'cache.workers',
    'cache.tls-certificate',
    'cache.tls-key',
    'http.host',
    'http.admin-tokens',
    'server.registry',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    const { serveCache } = await import('./serve-cache.ts');
    const { startLogs } = await import('../server/logs.ts');
    const { args, output, signal, cwd } = run;
    // A request leaves little behind: on one core helpers only make the collector's short pauses longer.
    setFlagsFromString('--no-parallel-scavenge');
    // Pretenured objects of one burst would keep whole requests in the old generation.
    setFlagsFromString('--no-allocation-site-pretenuring');
    const config = await run.config();
    const stopLogs = startLogs(output);
    const optional = (name: string, key: string) => {
      const port = args.count(name);
      return port === undefined ? {} : { [key]: port };
    };
    let reload = async () => {};
    run.whenHungUp(() => reload());
    try {
      await using served = await serveCache(dataPath(cwd, args.required('data'), 'cache'), config, {
        port: args.count('port') ?? defaultPorts.cache,
        adminPort: args.count('admin-port') ?? 0,
        ...optional('tls-port', 'tlsPort'),
        ...optional('icp-port', 'icpPort'),
        ...optional('htcp-port', 'htcpPort'),
      });
      reload = served.reload;
      if (signal.aborted) return 0;
      await output.result(served.where, ({ name, cache, tls, admin, icp, htcp }) =>
        [
          `  name      ${name}`,
          `  cache     ${cache}`,
          ...(tls === undefined ? [] : [`  tls       ${tls}`]),
          `  status    ${admin}status`,
          ...(icp === undefined ? [] : [`  icp       ${icp}`]),
          ...(htcp === undefined ? [] : [`  htcp      ${htcp}`]),
        ].join('\n'),
      );
      if (!signal.aborted) await once(signal, 'abort');
      return 0;
    } finally {
      stopLogs();
    }
  },
};
