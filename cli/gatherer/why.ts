import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer why`: the rule that decided about a URL. */
export const gathererWhy: Verb = {
  command: 'gatherer why <url>',
  describe: 'Explain why a URL is in or out: the rule that decided, and the result of the last run',
  examples: [
    [
      'gatherer why https://www.example.org/private/',
      'shows the line of robots.txt, the limit or the folder rule',
    ],
    ['gatherer why ./public/a.html', 'a file, by its path'],
    ['gatherer why "https://www.example.org/a.zip#b.txt"', 'a document inside another'],
  ],
  positionals: { url: 'Absolute URL, as it is read or published, or path of a file' },
  options: { data: dataOption },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  handler: async (run) => {
    const { askGatherer } = await import('./ask.ts');
    const { requestedUrl } = await import('./requested-url.ts');
    const { callControl } = await import('../../http/index.ts');
    const { whyText } = await import('./why-text.ts');
    type Why = import('../../gatherer/index.ts').WhyReport;
    const url = await requestedUrl(run.args.required('url'), run.cwd);
    const why = await askGatherer(
      run,
      (gatherer) => gatherer.why(url, run.signal),
      async (door) =>
        (await callControl(door, `/control/why?url=${encodeURIComponent(url)}`, {
          signal: run.signal,
        })) as Why,
    );
    await run.output.result(why, whyText);
  },
};
