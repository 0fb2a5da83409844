import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer show`: one summary object. */
export const gathererShow: Verb = {
  command: 'gatherer show <url>',
  describe: 'Print the summary object of a URL as SOIF',
  examples: [['gatherer show https://www.example.org/index.html', 'as Brokers collect it']],
  positionals: { url: 'URL of a gathered document, or path of its file' },
  options: { data: dataOption },
  handler: async (run) => {
    const { askGatherer } = await import('./ask.ts');
    const { requestedUrl } = await import('./requested-url.ts');
    const { callControl } = await import('../../http/index.ts');
    const { printObject } = await import('../../soif/index.ts');
    const { terminalSafeText } = await import('../text/output.ts');
    const url = await requestedUrl(run.args.required('url'), run.cwd);
    const text = await askGatherer(
      run,
      async (gatherer) => Buffer.from(printObject(await gatherer.show(url))).toString(),
      async (door) =>
        String(
          await callControl(door, `/control/show?url=${encodeURIComponent(url)}`, { signal: run.signal }),
        ),
    );
    await run.output.result({ soif: text }, () => terminalSafeText(text));
  },
};
