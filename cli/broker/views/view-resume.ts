import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker view resume`: resume paused webhooks. */
export const brokerViewResume: Verb = {
  command: 'broker view resume <name>',
  describe: 'Resume the paused webhooks of a view; they are sent the changes made meanwhile',
  examples: [['broker view resume outages', 'after the receiver was repaired']],
  positionals: { name: 'Name of the view' },
  options: { data: dataOption },
  handler: async (run) => {
    const { viewPath, withViews } = await import('./views-of.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    type Hook = { readonly id: string; readonly url: string; readonly state: string };
    const { args, output } = run;
    const name = args.required('name');
    const isPaused = ({ state }: Hook) => state === 'paused';
    const resumed = await withViews<readonly Hook[]>(run, async (call) => {
      const answer = (await call(viewPath(name, 'webhooks'))) as { readonly webhooks: readonly Hook[] };
      const paused = answer.webhooks.filter(isPaused);
      for (const { id } of paused) await call(viewPath(name, 'webhooks', id, 'resume'), { method: 'POST' });
      return paused;
    });
    const webhooks = resumed.map(({ id, url }) => ({ id, url }));
    await output.result(
      webhooks,
      () =>
        webhooks.map(({ url }) => `  ${terminalSafe(url)} resumed`).join('\n') || '  no webhook is paused',
    );
  },
};
