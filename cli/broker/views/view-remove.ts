import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker view remove`: remove a view. */
export const brokerViewRemove: Verb = {
  command: 'broker view remove <name>',
  describe: 'Remove a view with its webhooks; the objects stay',
  examples: [['broker view remove reports', 'Brokers that collect it get an error from then on']],
  positionals: { name: 'Name of the view' },
  options: { data: dataOption },
  handler: async (run) => {
    const { viewPath, withViews } = await import('./views-of.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { args, output } = run;
    const name = args.required('name');
    await withViews(run, (call) => call(viewPath(name), { method: 'DELETE' }));
    await output.result({ removed: name }, () => `  view ${terminalSafe(name)} removed`);
  },
};
