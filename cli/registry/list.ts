import type { ListedServer } from '../../registry/index.ts';
import { dataOption, registryOption } from '../command/common-options.ts';
import type { Run, Verb } from '../command/verb.ts';

interface Page {
  readonly servers: readonly ListedServer[];
  /** Absent in the answer of a Registry that has no pages. */
  readonly next?: string | null;
}

/** Max servers that the command lists. */
const maxServers = 1_000_000;

/** `garner registry list`: the servers that are registered. */
export const registryList: Verb = {
  command: 'registry list',
  describe: 'List the registered servers: type, name, address, objects, and when each renewed its lease',
  examples: [
    ['registry list', 'of the Registry that serves this data folder'],
    ['registry list --registry https://registry.example.org --type broker', 'the Brokers of another one'],
    ['registry list --prefix https://library.example.org/ --state late', 'late servers of one host'],
  ],
  options: {
    data: dataOption,
    registry: registryOption,
    type: { kind: 'text', describe: 'Only servers of this type, such as broker or gatherer' },
    state: { kind: 'text', choices: ['live', 'late'], describe: 'Only servers in this state' },
    prefix: { kind: 'text', describe: 'Only servers whose address begins so' },
    query: { kind: 'text', describe: 'Only servers with all these words in their description' },
  },
  handler: async (run) => {
    const { serverLines } = await import('./server-lines.ts');
    const servers = await listedServers(run);
    await run.output.result(servers, () => serverLines(servers, Date.now() / 1000));
  },
};

/** Every page of the servers that the options name. */
async function listedServers(run: Run): Promise<readonly ListedServer[]> {
  const { askRegistry } = await import('./ask-registry.ts');
  const { args } = run;
  const query = new URLSearchParams();
  for (const [name, value] of [
    ...(['type', 'state', 'prefix'] as const).map((key) => [key, args.text(key)] as const),
    ['q', args.text('query')] as const,
  ])
    if (value !== undefined) query.set(name, value);
  const servers: ListedServer[] = [];
  for (;;) {
    const page = (await askRegistry(run, `/servers?${query}`)) as Page;
    servers.push(...page.servers);
    const next = page.next ?? undefined;
    // A Registry without an end must not be followed for ever.
    if (next === undefined || page.servers.length === 0 || servers.length >= maxServers) return servers;
    query.set('after', next);
  }
}
