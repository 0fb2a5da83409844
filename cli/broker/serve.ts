import { once } from 'node:events';
import { dataOption, dataPath } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';

/** `garner broker serve`: collect, index, answer. */
export const brokerServe: Verb = {
  command: 'broker serve',
  describe: 'Collect from Gatherers, index what they have, and answer queries',
  examples: [
    ['broker serve --collect ws://127.0.0.1:8500 --port 8501', 'one source on this machine'],
    ['broker serve --collect ws://a:8500 --collect wss://b.example.org/garner/wire', 'several'],
  ],
  options: {
    data: dataOption,
    port: {
      kind: 'port',
      default: defaultPorts.broker,
      describe: 'Port of the search page, the API and the wire; 0 takes any',
    },
  },
  settings: async () => {
    const { settingsOfBroker, settingsOfServers } = await import('../config/all-settings.ts');
    return [...settingsOfBroker, ...settingsOfServers];
  },
  shownSettings: [
    'broker.collect',
    'broker.name',
    'page.logo',
    'page.footer',
    'broker.engine',
    'broker.interval',
    'broker.grace',
    'http.host',
    'http.host-names',
    'http.cors-origins',
    'http.tls-certificate',
    'http.tls-key',
    'server.registry',
    'server.public-url',
    'http.require-token',
    'http.read-tokens',
    'wire.token',
    'wire.tokens',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    const { serveBroker } = await import('./serving/serve-broker.ts');
    const { brokerSources } = await import('../config/source-filters.ts');
    const { startLogs } = await import('../server/logs.ts');
    const { args, output, signal, cwd } = run;
    const config = await run.config();
    const sources = brokerSources(config);
    const stopLogs = startLogs(output);
    let reload = async () => {};
    run.whenHungUp(() => reload());
    try {
      const path = dataPath(cwd, args.required('data'), 'broker');
      await using served = await serveBroker(path, sources, config, {
        port: args.count('port') ?? defaultPorts.broker,
      });
      reload = served.listening.reload;
      if (signal.aborted) return 0;
      const { collector } = served.opened.broker;
      if (sources.length === 0) output.note(run.typed(withoutSources(collector.status.length)));
      const { url } = served.listening.http;
      const { classicAddress } = served;
      const report = {
        ...{ search: url, api: `${url}openapi.json`, administration: `${url}admin` },
        sources: sources.map((source) => source.url),
        ...(classicAddress === undefined ? {} : { classic: classicAddress }),
      };
      await output.result(report, ({ search, api, administration, classic }) =>
        [
          `  search    ${search}`,
          `  api       ${api}`,
          `  admin     ${administration}`,
          ...(classic === undefined ? [] : [`  classic   ${classic}`]),
        ].join('\n'),
      );
      if (!signal.aborted) await once(signal, 'abort');
      return 0;
    } finally {
      stopLogs();
    }
  },
};

/** The note for a configuration without sources; `added` is the number of sources of `broker source add`. */
function withoutSources(added: number): string {
  if (added === 0)
    return 'no sources: this Broker answers from the objects it has (--collect URL or garner broker source add adds a source)';
  return `no sources in the configuration (--collect); ${added === 1 ? '1 source was' : `${added} sources were`} added with garner broker source add`;
}
