import { once } from 'node:events';
import { dataOption, dataPath } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';

/** `garner registry serve`: list servers, and search the Brokers among them as one. */
export const registryServe: Verb = {
  command: 'registry serve',
  describe: 'List the servers that register, and search all their Brokers as one',
  examples: [
    ['registry serve', 'on this machine'],
    ['registry serve --host 0.0.0.0 --host-names registry.example.org', 'for others'],
    ['registry serve --allow-hosts 127.0.0.1:8501', 'also search a Broker of this machine'],
  ],
  options: {
    data: dataOption,
    port: {
      kind: 'port',
      default: defaultPorts.registry,
      describe: 'Port of the page, the API and the wire; 0 takes any free one',
    },
  },
  settings: async () => {
    const { settingsOfRegistry, settingsOfServers } = await import('../config/all-settings.ts');
    return [...settingsOfRegistry, ...settingsOfServers];
  },
  shownSettings: [
    'broker.name',
    'page.logo',
    'page.footer',
    'broker.collect',
    'registry.allow-hosts',
    'registry.deadline',
    'registry.max-servers',
    'registry.client-applications',
    'http.host',
    'http.host-names',
    'http.tls-certificate',
    'http.tls-key',
    'http.require-token',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    const { serveRegistry } = await import('./serve-registry.ts');
    const { brokerSources } = await import('../config/source-filters.ts');
    const { startLogs } = await import('../server/logs.ts');
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const stopLogs = startLogs(output);
    let reload = async () => {};
    run.whenHungUp(() => reload());
    try {
      const path = dataPath(cwd, args.required('data'), 'registry');
      await using served = await serveRegistry(path, brokerSources(config), config, {
        port: args.count('port') ?? defaultPorts.registry,
      });
      reload = served.listening.reload;
      if (signal.aborted) return 0;
      const { url } = served.listening.http;
      await output.result(
        { registry: url, api: `${url}openapi.json`, administration: `${url}admin` },
        ({ registry, api, administration }) =>
          [`  registry  ${registry}`, `  api       ${api}`, `  admin     ${administration}`].join('\n'),
      );
      if (!signal.aborted) await once(signal, 'abort');
      return 0;
    } finally {
      stopLogs();
    }
  },
};
