import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** The number of peers that a purge was sent to; HTCP does not confirm it. */
function peersText(reached: number, count: (times: number, one: string) => string): string {
  if (reached > 0) return `purge sent to ${count(reached, 'peer')}`;
  return 'no peer was notified: only a serving cache notifies peers, and only by HTCP (htcp=PORT of --parent and --sibling)';
}

/** `garner cache purge`: remove stored responses. */
export const cachePurge: Verb = {
  command: 'cache purge [url]',
  describe: 'Remove stored responses by URL, prefix or surrogate key, or all of them',
  examples: [
    ['cache purge https://www.example.org/a.png', 'every response under that URL'],
    ['cache purge --prefix https://www.example.org/news/ --soft', 'only mark them stale'],
    ['cache purge --tag article-17', 'every response with that surrogate key'],
  ],
  positionals: { url: 'Absolute URL, or path at the origin' },
  options: {
    data: dataOption,
    prefix: { kind: 'text', describe: 'All URLs that begin with this' },
    tag: {
      kind: 'text',
      describe: 'All responses with this key (Surrogate-Key, Cache-Tag, xkey)',
    },
    all: { kind: 'flag', describe: 'All responses' },
    soft: {
      kind: 'flag',
      describe: 'Mark them stale instead: they are validated before use, and used when the server fails',
    },
    peers: { kind: 'flag', describe: 'Also purge the URL at peers that speak HTCP (CLR)' },
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
        problem: 'give exactly one of a URL, --prefix, --tag and --all',
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
        `  ${count(purged, 'response')} ${soft ? 'marked stale' : 'purged'}`,
        ...(peersReached === undefined ? [] : [`  ${peersText(peersReached, count)}`]),
        ...(isStarred && purged === 0
          ? [
              `  the * was taken literally; to purge every URL with this beginning: --prefix ${terminalSafe(url.slice(0, -1))}`,
            ]
          : []),
      ].join('\n'),
    );
  },
};
