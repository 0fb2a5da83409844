import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker view list`: the views of a Broker. */
export const brokerViewList: Verb = {
  command: 'broker view list',
  describe: 'List the views of a Broker, ordered by name',
  examples: [
    ['broker view list', 'name, objects and query of each'],
    ['broker view list --after reports --limit 1000 --json', 'the next ones, for programs'],
  ],
  options: {
    data: dataOption,
    limit: { kind: 'count', default: 100, describe: 'Maximum number of views to list, up to 1000' },
    after: { kind: 'text', describe: 'Begin after this name' },
  },
  handler: async (run) => {
    const { withViews } = await import('./views-of.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { number } = await import('../../text/number-formats.ts');
    type Status = import('../../../broker/index.ts').ViewStatus;
    type List = { readonly views: readonly Status[]; readonly total: number };
    const { args, output } = run;
    const limit = Math.min(1000, Math.max(1, args.count('limit') ?? 100));
    const after = args.text('after');
    const { views, total } = await withViews<List>(run, async (call) => {
      const parameters = new URLSearchParams({
        limit: String(limit),
        ...(after !== undefined && { after }),
      });
      return (await call(`/views?${parameters}`)) as List;
    });
    await output.result(views, () => {
      if (views.length === 0)
        return `  no views; ${run.typed('garner broker view add NAME QUERY')} defines one`;
      const lines = views.map(({ name, objects, query, over, filled }) => {
        const within = over === null ? '' : ` (over ${over})`;
        return `  ${terminalSafe(name)}  ${filled ? number(objects) : '...'}  ${terminalSafe(query + within)}`;
      });
      const rest = views.length < total ? [`  ${number(views.length)} of ${number(total)} views`] : [];
      return [...lines, ...rest].join('\n');
    });
  },
};
