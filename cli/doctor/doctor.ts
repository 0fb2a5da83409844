import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** The settings of a cache that doctor reads. */
const ofCache: ReadonlySet<string> = new Set(
  ['origin', 'proxy', 'parent', 'sibling', 'never-direct', 'allow-hosts', 'udp-host', 'disk']
    .concat('tls-certificate', 'tls-key', 'htcp-keys')
    .map((name) => `cache.${name}`),
);

/** `garner doctor`: is everything here that Garner needs? */
export const doctor: Verb = {
  command: 'doctor',
  describe:
    'Check this machine, the data folder, the sources and the cache, and suggest a cure for each problem',
  examples: [['doctor --data ./data', 'exit code 1 if there is a problem']],
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
  runsAsCaller: true,
  handler: async (run) => {
    const { ownOpenFiles } = await import('./open-files.ts');
    const { outOfFiles } = await import('../config/out-of-files.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    // First: with too few, the other checks cannot even be loaded.
    const limit = ownOpenFiles();
    const others = import('./checks.ts').then(({ findings }) => findings(run));
    const found = [
      ...limit,
      ...(await others.catch((error: unknown) => {
        if (outOfFiles(error) === undefined || limit.every(({ ok }) => ok)) throw error;
        return [];
      })),
    ];
    const faults = found.filter(({ ok }) => !ok).length;
    await run.output.result(found, () =>
      [
        ...found.map(({ ok, what, cure, note }) => {
          const calm = note ? run.output.style('yellow', '!') : run.output.style('green', '✓');
          const mark = ok ? calm : run.output.style('red', '✗');
          return `${mark} ${terminalSafe(what)}${cure === undefined ? '' : `\n    ${terminalSafe(cure)}`}`;
        }),
        faults === 0 ? 'no problem found' : `${count(faults, 'problem')} found; the cure is below each`,
      ].join('\n'),
    );
    return faults === 0 ? 0 : 1;
  },
};
