import { dataOption, registryOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner registry describe`: the whole description of a server. */
export const registryDescribe: Verb = {
  command: 'registry describe <server>',
  describe: 'Print everything that a registered server says of itself',
  examples: [['registry describe 4pvY85gSqojgWmjpKW3lQw', 'by the id that registry list prints']],
  positionals: { server: 'Id, server id or address of the server' },
  options: { data: dataOption, registry: registryOption },
  handler: async (run) => {
    const { askRegistry } = await import('./ask-registry.ts');
    const { describedServer } = await import('./server-lines.ts');
    const id = encodeURIComponent(run.args.required('server').slice(0, 100));
    type Server = import('../../registry/index.ts').DescribedServer;
    const server = (await askRegistry(run, `/servers/${id}`, { list: 'attributes' })) as Server;
    await run.output.result(server, () => describedServer(server));
  },
};
