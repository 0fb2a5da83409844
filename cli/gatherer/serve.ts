import { once } from 'node:events';
import { dataOption, dataPath, rootWords } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { defaultPorts } from '../config/ports.ts';

/** `garner gatherer serve`: gather a site repeatedly and let others collect it. */
export const gathererServe: Verb = {
  command: 'gatherer serve',
  describe: 'Gather a site, follow its changes, and let Brokers collect the summaries',
  examples: [
    ['gatherer serve --data ./data --port 8500', 'the site of the last run'],
    [
      'gatherer serve --push-to wss://search.example.org',
      'push to a Broker that cannot connect to this machine',
    ],
    ['gatherer serve --root ./public --base-url https://www.example.org/', 'a folder, watched for changes'],
  ],
  options: {
    data: dataOption,
    port: {
      kind: 'port',
      default: defaultPorts.gatherer,
      describe: 'Port of the wire, the SOIF stream and the status; 0 takes any free one',
    },
    root: {
      kind: 'text',
      describe: `${rootWords}; default: the root of the last run`,
    },
    'base-url': { kind: 'text', describe: 'URL that the folder is published under' },
  },
  settings: async () => {
    const { settingsOfGatherer, settingsOfServers } = await import('../config/all-settings.ts');
    return [...settingsOfGatherer, ...settingsOfServers];
  },
  shownSettings: [
    'gatherer.name',
    'gatherer.push-to',
    'gatherer.text',
    'gatherer.stop',
    'gatherer.allow',
    'gatherer.hidden',
    'gatherer.refresh',
    'gatherer.recheck',
    'gatherer.robots',
    'gatherer.stay-below',
    'gatherer.max-urls',
    'gatherer.max-depth',
    'fetch.contact',
    'fetch.delay',
    'fetch.allow-hosts',
    'fetch.cache',
    'http.host',
    'http.host-names',
    'http.tls-certificate',
    'http.tls-key',
    'server.registry',
    'server.public-url',
    'wire.tokens',
  ],
  runsAsCaller: true,
  handler: async (run) => {
    const { serveGatherer } = await import('./serve-gatherer.ts');
    const { givenSite } = await import('./site-option.ts');
    const { startLogs } = await import('../server/logs.ts');
    const { siteName } = await import('../config/site.ts');
    const { runComplaints, runLine } = await import('../text/run-lines.ts');
    const { args, output, signal, cwd } = run;
    const path = dataPath(cwd, args.required('data'), 'gatherer');
    const site = await givenSite(run, path);
    const config = await run.config();
    const stopLogs = startLogs(output);
    let reload = async () => {};
    run.whenHungUp(() => reload());
    try {
      await using served = await serveGatherer(path, site, config, {
        port: args.count('port') ?? defaultPorts.gatherer,
      });
      reload = served.listening.reload;
      if (signal.aborted) return 0;
      // Before the addresses are printed: a reader of them may ask for the status at once.
      await served.recordSite();
      const pushes = served.pushes().map(({ url }) => url);
      const where = {
        site: siteName(site),
        collect: served.listening.wireUrl,
        soif: `${served.listening.http.url}soif`,
        ...(served.annotateUrl === undefined ? {} : { annotate: served.annotateUrl }),
        ...(served.gatherdAddress === undefined ? {} : { gatherd: served.gatherdAddress }),
        ...(pushes.length === 0 ? {} : { pushes }),
      };
      await output.result(where, ({ collect, soif, annotate, gatherd, pushes = [] }) =>
        [
          `  collect   ${collect}`,
          `  stream    ${soif}`,
          ...(annotate === undefined ? [] : [`  annotate  ${annotate}`]),
          ...(gatherd === undefined ? [] : [`  gatherd   ${gatherd}`]),
          ...pushes.map((url) => `  push to   ${url}`),
        ].join('\n'),
      );
      if (config.list('server.registry').length > 0) {
        const { noteGatheredSite } = await import('./registered-gatherer.ts');
        await noteGatheredSite(served.opened, config, run);
      }
      const first = await served.gather(signal);
      for (const complaint of runComplaints(first)) output.note(run.typed(complaint));
      // A run with changes is in the log already.
      if (first.added + first.changed + first.deleted + first.failed === 0) output.note(runLine(first));
      if (!signal.aborted) await once(signal, 'abort');
      return 0;
    } finally {
      stopLogs();
    }
  },
};
