import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** What is looked at of a cache. */
const ofCache: ReadonlySet<string> = new Set(
  ['origin', 'proxy', 'parent', 'sibling', 'never-direct', 'allow-hosts', 'udp-host', 'disk']
    .concat('tls-certificate', 'tls-key', 'htcp-keys')
    .map((name) => `cache.${name}`),
);

/** `garner doctor`: is everything here that Garner needs? */
export const doctor: Verb = {
  command: 'doctor',
  describe:
    'Check this machine, the data folder, the sources and what a cache needs, and name a cure for what is wrong',
  examples: [['doctor --data ./data', 'exit code 1 when something needs a cure']],
  options: { data: dataOption },
  settings: async () => {
    const { settingsOfBroker, settingsOfCache, settingsOfGatherer } = await import(
      '../config/all-settings.ts'
    );
    return [
      ...settingsOfBroker,
      ...settingsOfGatherer.filter(({ key }) => key === 'gatherer.push-to'),
      ...settingsOfCache.filter(({ key }) => ofCache.has(key)),
    ];
  },
  shownSettings: ['broker.collect', 'gatherer.push-to', 'cache.origin', 'cache.proxy'],
  handler: async (run) => {
    const { findings } = await import('./checks.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    const found = await findings(run);
    const faults = found.filter(({ ok }) => !ok).length;
    await run.output.result(found, () =>
      [
        ...found.map(({ ok, what, cure }) => {
          const mark = ok ? run.output.style('green', '✓') : run.output.style('red', '✗');
          return `${mark} ${terminalSafe(what)}${cure === undefined ? '' : `\n    ${terminalSafe(cure)}`}`;
        }),
        faults === 0 ? 'nothing is wrong' : `${count(faults, 'problem')} found; what to do stands below each`,
      ].join('\n'),
    );
    return faults === 0 ? 0 : 1;
  },
};
