import { dataOption, registryOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import { checkType } from './list.ts';

const text = (describe: string) => ({ kind: 'text', describe }) as const;

/** `garner registry register`: apply for a server that does not register itself. */
export const registryRegister: Verb = {
  command: 'registry register <url>',
  describe:
    'Apply for a server that does not register itself; with the token of an administrator it is listed at once',
  examples: [
    ['registry register http://harvest.example.org/ --type broker --name Harbour', 'at your own Registry'],
    [
      'registry register http://harvest.example.org/ --type broker --name Harbour --registry https://registry.example.org',
      'at another one, whose administrator decides',
    ],
  ],
  positionals: { url: 'Address of the server' },
  options: {
    data: dataOption,
    registry: registryOption,
    type: { ...text('Type of the server, such as broker or gatherer'), required: true },
    name: { ...text('Its name'), required: true },
    description: text('One or two sentences on what it has'),
    administrator: text('Name and address of the person or office responsible for it'),
    location: text('Where it is: an institution, a city, a country'),
    topics: text('Its topics, with commas between them'),
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfRegistry,
  shownSettings: ['registry.token'],
  handler: async (run) => {
    const { askRegistry } = await import('./ask-registry.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { args, output } = run;
    await checkType(args.text('type'), 'registry register');
    const token = (await run.config()).text('registry.token');
    const fields = ['url', 'type', 'name', 'description', 'administrator', 'location', 'topics'];
    const json = Object.fromEntries(fields.map((name) => [name, args.text(name) ?? '']));
    const mayDecide = token !== '' || args.list('registry').length === 0;
    const path = mayDecide ? '/control/applications' : '/applications';
    const taken = (await askRegistry(run, path, { method: 'POST', json })) as { readonly id: string };
    const state = mayDecide ? 'listed' : 'held';
    await output.result({ id: taken.id, state }, ({ id }) =>
      mayDecide
        ? `  ${terminalSafe(String(json.name))} is listed as unsigned`
        : `  application ${terminalSafe(id)} is held for an administrator of the Registry`,
    );
  },
};
