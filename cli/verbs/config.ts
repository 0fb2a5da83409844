import type { Verb } from '../command/verb.ts';

/** `garner config`: every effective value and where it came from. */
export const configVerb: Verb = {
  command: 'config',
  describe: 'Show every setting with its effective value and where the value came from',
  examples: [['config', 'read garner.yaml here and GARNER_* in the environment']],
  settings: async () => (await import('../config/all-settings.ts')).allSettings,
  judgesMachine: true,
  handler: async (run) => {
    const { allSettings } = await import('../config/all-settings.ts');
    const secrets = new Set(allSettings.filter(({ secret }) => secret === true).map(({ key }) => key));
    // JSON output may be written to a file, so secrets are not in it either.
    const entries = (await run.config())
      .entries()
      .map((entry) => (secrets.has(entry.key) ? { ...entry, value: entry.shown } : entry));
    const width = Math.max(...entries.map(({ key }) => key.length));
    const values = Math.min(30, Math.max(...entries.map(({ shown }) => shown.length)));
    await run.output.result(entries, () =>
      entries
        .map(({ key, shown, from }) => {
          const line = `${key.padEnd(width)}  ${shown.padEnd(values)}  ${from}`;
          return from === 'default' ? run.output.style('dim', line) : line;
        })
        .join('\n'),
    );
  },
};
