import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** `garner cache why`: which rule stored, refused, hit or expired a URL. */
export const cacheWhy: Verb = {
  command: 'cache why <url>',
  describe: 'Why a URL is answered as it is: the rule that stored, refused, used or expired it',
  examples: [
    ['cache why https://www.example.org/a.png', 'what is stored, and what became of the last request'],
    ['cache why /a --header "Accept-Language: de"', 'a path at the origin, and what the request says'],
  ],
  positionals: { url: 'An absolute URL, or a path at the origin' },
  options: {
    data: dataOption,
    header: { kind: 'list', describe: 'A field that the request has, as NAME: VALUE' },
  },
  handler: async (run) => {
    const { askCache } = await import('./ask.ts');
    const { whyText } = await import('./why-text.ts');
    type Explanation = import('../../cache/index.ts').Explanation;
    const asked = new URLSearchParams({ url: run.args.required('url') });
    for (const line of run.args.list('header')) asked.append('header', line);
    await run.output.result(await askCache<Explanation>(run, { path: `/why?${asked}` }), whyText);
  },
};
