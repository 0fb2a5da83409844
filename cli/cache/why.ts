import { dataOption } from '../data-option.ts';
import type { Verb } from '../verb.ts';

/** `garner cache why`: which rule stored, refused, hit or expired a URL. */
export const cacheWhy: Verb = {
  command: 'cache why <url>',
  describe: 'Why a URL is answered as it is: the rule that stored, refused, used or expired it',
  examples: [
    ['cache why https://www.example.org/a.png', 'what is stored, and what became of the last request'],
    ['cache why /a.png', 'a path at the origin of an accelerator'],
  ],
  positionals: { url: 'An absolute URL, or a path at the origin' },
  options: { data: dataOption },
  handler: async (run) => {
    const { askCache } = await import('./ask.ts');
    const { whyText } = await import('./why-text.ts');
    type Explanation = import('../../cache/index.ts').Explanation;
    const path = `/why?url=${encodeURIComponent(run.args.required('url'))}`;
    await run.output.result(await askCache<Explanation>(run, { path }), whyText);
  },
};
