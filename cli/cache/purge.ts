import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** Who was told to forget it too; that they heard it nobody says. */
function peersText(told: number, count: (times: number, one: string) => string): string {
  if (told > 0) return `${count(told, 'peer')} told to forget it`;
  return 'no peer was told: a cache tells them while it serves, and those by HTCP alone (htcp=PORT of --parent and --sibling)';
}

/** `garner cache purge`: forget what is stored. */
export const cachePurge: Verb = {
  command: 'cache purge [url]',
  describe: 'Forget what is stored under a URL, below a prefix or with a surrogate key, or all',
  examples: [
    ['cache purge https://www.example.org/a.png', 'every response under that URL'],
    ['cache purge --prefix https://www.example.org/news/ --soft', 'stale from now on'],
    ['cache purge --tag article-17', 'whatever came with that surrogate key'],
  ],
  positionals: { url: 'An absolute URL, or a path at the origin' },
  options: {
    data: dataOption,
    prefix: { kind: 'text', describe: 'All URLs that begin so' },
    tag: {
      kind: 'text',
      describe: 'All responses that came with this key (Surrogate-Key, Cache-Tag, xkey)',
    },
    all: { kind: 'flag', describe: 'Everything' },
    soft: {
      kind: 'flag',
      describe: 'Keep them as stale: validated before use, given when the server fails',
    },
    peers: { kind: 'flag', describe: 'Have peers that speak HTCP forget the URL too (CLR)' },
  },
  handler: async (run) => {
    const { failure } = await import('../../kernel/index.ts');
    const { askCache } = await import('./ask.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    const { args } = run;
    const named = {
      ...{ url: args.text('url'), prefix: args.text('prefix'), tag: args.text('tag') },
      all: args.flag('all') || undefined,
    };
    const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length !== 1)
      throw failure(cliErrors.CLI_USAGE, {
        problem: 'cache purge takes a URL, --prefix, --tag or --all, and one of them alone',
        help: run.typed('such as garner cache purge https://www.example.org/a.png'),
      });
    const soft = args.flag('soft');
    const answer = await askCache<{ readonly purged: number; readonly peersReached?: number }>(run, {
      ...{ method: 'POST', path: '/purge', json: { ...given, soft, peers: args.flag('peers') } },
    });
    const { url } = given;
    const isStarred = typeof url === 'string' && url.endsWith('*');
    await run.output.result(answer, ({ purged, peersReached }) =>
      [
        `  ${count(purged, 'response')} ${soft ? 'made stale' : 'forgotten'}`,
        ...(peersReached === undefined ? [] : [`  ${peersText(peersReached, count)}`]),
        ...(isStarred && purged === 0
          ? [
              `  the star was taken as it stands; for all that begins so: --prefix ${terminalSafe(url.slice(0, -1))}`,
            ]
          : []),
      ].join('\n'),
    );
  },
};
