import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker view show`: the definition and the state of a view. */
export const brokerViewShow: Verb = {
  command: 'broker view show <name>',
  describe: 'Show a view: its query, its objects, and its webhooks',
  examples: [['broker view show reports', 'with the state of its webhooks']],
  positionals: { name: 'Name of the view' },
  options: { data: dataOption },
  handler: async (run) => {
    const { viewPath, withViews } = await import('./views-of.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { count } = await import('../../text/number-formats.ts');
    type Status = import('../../../broker/index.ts').ViewStatus;
    type Hook = {
      readonly id: string;
      readonly url: string;
      readonly state: string;
      readonly failures: number;
      readonly error: string | null;
    };
    const { args, output } = run;
    const name = args.required('name');
    const { view, hooks } = await withViews<{ view: Status; hooks: readonly Hook[] }>(run, async (call) => {
      const view = (await call(viewPath(name))) as Status;
      const { webhooks } = (await call(viewPath(name, 'webhooks'))) as {
        readonly webhooks: readonly Hook[];
      };
      return { view, hooks: webhooks };
    });
    const shown = hooks.map(({ id, url, state, failures, error }) => ({ id, url, state, failures, error }));
    await output.result({ ...view, webhooks: shown }, () =>
      [
        `  view      ${terminalSafe(view.name)}${view.description === null ? '' : `: ${terminalSafe(view.description)}`}`,
        `  query     ${terminalSafe(view.query)}${view.over === null ? '' : ` (over ${view.over})`}`,
        `  means     ${terminalSafe(view.understood)}`,
        `  objects   ${view.filled ? count(view.objects, 'object') : 'counting'}, ${count(view.lsn, 'change')} so far`,
        ...shown.map(({ url, state, failures, error }) => {
          const trouble = error === null ? '' : `, failed ${count(failures, 'time')}: ${terminalSafe(error)}`;
          return `  webhook   ${terminalSafe(url)} is ${state}${trouble}`;
        }),
      ].join('\n'),
    );
  },
};
