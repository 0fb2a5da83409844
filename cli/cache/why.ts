import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner cache why`: the rules behind the answers to a URL. */
export const cacheWhy: Verb = {
  command: 'cache why <url>',
  describe: 'Explain the answers to a URL: the rule that stored, refused, used or expired it',
  examples: [
    ['cache why https://www.example.org/a.png', 'the stored responses, and the last requests'],
    ['cache why /a --header "Accept-Language: de"', 'a path at the origin, with a request header'],
  ],
  positionals: { url: 'Absolute URL, or path at the origin' },
  options: {
    data: dataOption,
    header: { kind: 'list', describe: 'Header field of the request, as NAME: VALUE' },
  },
  handler: async (run) => {
    const { askCache } = await import('./ask.ts');
    const { whyText } = await import('./why-text.ts');
    type Explanation = import('../../cache/index.ts').Explanation;
    const parameters = new URLSearchParams({ url: run.args.required('url') });
    for (const line of run.args.list('header')) parameters.append('header', line);
    await run.output.result(await askCache<Explanation>(run, { path: `/why?${parameters}` }), whyText);
  },
};
