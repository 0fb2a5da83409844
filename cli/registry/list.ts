import { dataOption, registryOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner registry list`: the servers that are registered. */
export const registryList: Verb = {
  command: 'registry list',
  describe: 'List the registered servers: type, name, address, size, version, topic and health',
  examples: [
    ['registry list', 'of the Registry that serves this data folder'],
    ['registry list --registry https://registry.example.org --type broker', 'the Brokers of another one'],
  ],
  options: {
    data: dataOption,
    registry: registryOption,
    type: { kind: 'text', describe: 'Only servers of this type, such as broker or gatherer' },
  },
  handler: async (run) => {
    const { askRegistry } = await import('./ask-registry.ts');
    const { serverLines } = await import('./server-lines.ts');
    const type = run.args.text('type');
    const query = type === undefined ? '' : `?${new URLSearchParams({ type })}`;
    type Servers = { readonly servers: readonly import('../../registry/index.ts').ServerEntry[] };
    const { servers } = (await askRegistry(run, `/servers${query}`)) as Servers;
    await run.output.result(servers, () => serverLines(servers));
  },
};
