import { dataOption, rootWords } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';

/** `garner up`: everything in one process. */
export const up: Verb = {
  command: 'up [site]',
  describe: 'Gather a folder, web site or other root, index it, and serve a search page, all in one process',
  examples: [
    ['up ./public', 'search a folder; changes are searchable within seconds'],
    ['up https://www.example.org/', 'search a web site'],
    ['up --demo-federation', 'nine servers of an invented town, searched as one'],
    ['up mbox:/var/mail/jo', 'search a mailbox; docs/roots.md has every kind of root'],
  ],
  positionals: { site: `${rootWords}; without it Garner's own manual` },
  options: {
    data: dataOption,
    port: {
      kind: 'port',
      describe: `Port of the search page (${defaultPorts.broker}, of the demo ${defaultPorts.registry}); 0 takes any free one`,
    },
    'site-port': {
      kind: 'port',
      describe: 'Port on which a folder is served, so that results can be opened',
    },
    'demo-federation': {
      kind: 'flag',
      describe:
        'Instead of a site: a Registry, three Gatherers, three Brokers and two caches with sites of an invented town',
    },
    'delete-annotations': {
      kind: 'flag',
      describe: 'Allow another site to replace the one in the data folder, and delete its annotations',
    },
  },
  settings: async () => {
    const { settingsOfBroker, settingsOfGatherer, settingsOfServers } = await import(
      '../config/all-settings.ts'
    );
    return [...new Set([...settingsOfGatherer, ...settingsOfBroker, ...settingsOfServers])];
  },
  shownSettings: [
    'gatherer.text',
    'gatherer.stop',
    'gatherer.hidden',
    'gatherer.recheck',
    'gatherer.robots',
    'gatherer.stay-below',
    'gatherer.max-urls',
    'fetch.delay',
    'fetch.allow-hosts',
    'gatherer.push-to',
    'broker.name',
    'page.logo',
    'page.footer',
    'http.host',
    'http.host-names',
    'http.cors-origins',
    'server.registry',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    if (run.args.flag('demo-federation')) {
      const { runDemo } = await import('../demo/run-demo.ts');
      return runDemo(run);
    }
    const { runUp } = await import('./run.ts');
    return runUp(run);
  },
};
