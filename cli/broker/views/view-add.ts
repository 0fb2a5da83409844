import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker view add`: define a view. */
export const brokerViewAdd: Verb = {
  command: 'broker view add <name> <query..>',
  describe: 'Define a view: a named query whose objects and changes others can collect and subscribe to',
  examples: [
    ["broker view add reports 'Type: report AND database'", 'collected at ws://HOST:8501#view=reports'],
    ['broker view add fresh replication --over reports', 'a part of another view'],
    ['broker view add outages outage --webhook https://chat.example.org/hook', 'send changes by HTTP POST'],
  ],
  positionals: {
    name: 'Lower-case letters, digits and hyphens',
    query: 'A query as for a search; view: NAME means the query of another view',
  },
  options: {
    data: dataOption,
    over: { kind: 'text', describe: 'The view of which this one is a part' },
    description: { kind: 'text', describe: 'One sentence about the view for its readers' },
    webhook: { kind: 'list', describe: 'URL to which inserts, updates and deletions are sent' },
  },
  handler: async (run) => {
    const { viewPath, withViews } = await import('./views-of.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { count } = await import('../../text/number-formats.ts');
    type Status = import('../../../broker/index.ts').ViewStatus;
    type Hook = { readonly id: string; readonly url: string; readonly secret: string };
    const { args, output } = run;
    const name = args.required('name');
    const [over, description] = [args.text('over'), args.text('description')];
    const definition = {
      query: args.list('query').join(' '),
      ...(over !== undefined && { over }),
      ...(description !== undefined && { description }),
    };
    const urls = args.list('webhook');
    const { view, hooks } = await withViews<{ view: Status; hooks: readonly Hook[] }>(run, async (call) => {
      const isThere = await call(viewPath(name)).then(
        () => true,
        () => false,
      );
      await call(viewPath(name), { method: 'PUT', json: definition });
      const hooks: Hook[] = [];
      try {
        for (const url of urls)
          hooks.push((await call(viewPath(name, 'webhooks'), { method: 'POST', json: { url } })) as Hook);
      } catch (error) {
        // All of it or nothing.
        if (!isThere) await call(viewPath(name), { method: 'DELETE' });
        throw error;
      }
      return { view: (await call(viewPath(name))) as Status, hooks };
    });
    const webhooks = hooks.map(({ id, url, secret }) => ({ id, url, secret }));
    await output.result({ ...view, webhooks }, () =>
      [
        `  view      ${terminalSafe(view.name)}: ${terminalSafe(view.understood)}`,
        view.filled ? `  objects   ${count(view.objects, 'object')}` : '  objects   counting',
        ...webhooks.map(
          ({ url, secret }) =>
            `  webhook   ${terminalSafe(url)}, signed with ${secret} (copy it now: it is not shown again)`,
        ),
      ].join('\n'),
    );
  },
};
