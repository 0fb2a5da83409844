import { dataOption, registryOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner registry approve`: the held applications, and the decision about one. */
export const registryApprove: Verb = {
  command: 'registry approve [id]',
  describe: 'List the held applications, or approve one: its server is then listed as unsigned',
  examples: [
    ['registry approve', 'what is held'],
    ['registry approve 4f2a90c1d7b3', 'list the server of this application'],
    ['registry approve 4f2a90c1d7b3 --refuse', 'drop it'],
  ],
  positionals: { id: 'Id of an application' },
  options: {
    data: dataOption,
    registry: registryOption,
    refuse: { kind: 'flag', describe: 'Drop the application instead' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfRegistry,
  shownSettings: ['registry.token'],
  handler: async (run) => {
    const { askRegistry } = await import('./ask-registry.ts');
    const { applicationLines } = await import('./server-lines.ts');
    const { terminalSafe } = await import('../text/output.ts');
    type Held = { readonly applications: readonly import('../../registry/index.ts').Application[] };
    type Decided = { readonly id: string; readonly url: string; readonly name: string };
    const { args, output } = run;
    const [id, isRefused] = [args.text('id'), args.flag('refuse')];
    if (id === undefined) {
      const list = 'applications';
      const { applications } = (await askRegistry(run, '/control/applications', { list })) as Held;
      await output.result(applications, () => applicationLines(applications, Date.now() / 1000));
      return;
    }
    const application = `/control/applications/${encodeURIComponent(id.slice(0, 100))}`;
    const path = isRefused ? `${application}/refusal` : application;
    const decided = (await askRegistry(run, path, { method: 'POST' })) as Decided;
    const state = isRefused ? 'refused' : 'listed as unsigned';
    await output.result({ ...decided, state }, ({ name, url }) =>
      terminalSafe(`  ${name} at ${url} is ${state}`),
    );
  },
};
