import { dataOption, registryOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner registry describe`: the whole description of a server. */
export const registryDescribe: Verb = {
  command: 'registry describe <server>',
  describe: 'Print everything that a registered server says of itself',
  examples: [['registry describe 4pvY85gSqojgWmjpKW3lQw', 'by the id that registry list --json prints']],
  positionals: { server: 'Id or server id of the server' },
  options: { data: dataOption, registry: registryOption },
  handler: async (run) => {
    const { askRegistry } = await import('./ask-registry.ts');
    const { describedServer } = await import('./server-lines.ts');
    const id = encodeURIComponent(run.args.required('server').slice(0, 100));
    type Server = import('../../registry/index.ts').DescribedServer;
    const server = (await askRegistry(run, `/servers/${id}`)) as Server;
    await run.output.result(server, () => describedServer(server));
  },
};
