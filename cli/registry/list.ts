import type { ServerEntry } from '../../registry/index.ts';
import { dataOption, registryOption } from '../command/common-options.ts';
import type { Run, Verb } from '../command/verb.ts';

interface Page {
  readonly servers: readonly ServerEntry[];
  /** Absent in the answer of a Registry that has no pages. */
  readonly next?: string | null;
}

const filters = ['type', 'state', 'prefix', 'query'] as const;

/** Max servers that the command lists. */
const maxServers = 1_000_000;

/** `garner registry list`: the servers that are registered. */
export const registryList: Verb = {
  command: 'registry list',
  describe: 'List the registered servers: type, name, address, size, version, topic and health',
  examples: [
    ['registry list', 'of the Registry that serves this data folder'],
    ['registry list --registry https://registry.example.org --type broker', 'the Brokers of another one'],
    ['registry list --prefix https://library.example.org/ --state late', 'late servers of one host'],
  ],
  options: {
    data: dataOption,
    registry: registryOption,
    type: { kind: 'text', describe: 'Only servers of this type, such as broker or gatherer' },
    state: {
      kind: 'text',
      choices: ['live', 'late'],
      describe: 'Only servers in this state; only the topology has broken ones',
    },
    prefix: { kind: 'text', describe: 'Only servers whose address begins so' },
    query: { kind: 'text', describe: 'Only servers with all these words in their description' },
  },
  handler: async (run) => {
    const { serverLines } = await import('./server-lines.ts');
    const servers = await listedServers(run);
    const isFiltered = filters.some((name) => run.args.text(name) !== undefined);
    await run.output.result(servers, () => serverLines(servers, isFiltered));
  },
};

/** Every page of the servers that the options name. */
async function listedServers(run: Run): Promise<readonly ServerEntry[]> {
  const { askRegistry } = await import('./ask-registry.ts');
  const { args } = run;
  const query = new URLSearchParams();
  for (const name of filters) {
    const value = args.text(name);
    if (name === 'type') await checkType(value, 'registry list');
    if (value !== undefined) query.set(name === 'query' ? 'q' : name, value);
  }
  const servers: ServerEntry[] = [];
  for (;;) {
    const page = (await askRegistry(run, `/servers?${query}`, { list: 'servers' })) as Page;
    servers.push(...page.servers);
    const next = page.next ?? undefined;
    // A Registry without an end must not be followed for ever.
    if (next === undefined || page.servers.length === 0 || servers.length >= maxServers) return servers;
    query.set('after', next);
  }
}

/** Throws CLI_USAGE, with every type, for a text that is none; the case does not matter. */
export async function checkType(text: string | undefined, verb: string): Promise<void> {
  const { serverTypes } = await import('../../registry/index.ts');
  if (text === undefined || serverTypes.some((type) => type === text.trim().toUpperCase())) return;
  const { failure } = await import('../../kernel/index.ts');
  const { cliErrors } = await import('../config/errors.ts');
  throw failure(cliErrors.CLI_USAGE, {
    problem: `--type is one of ${serverTypes.join(', ').toLowerCase()}, not ${JSON.stringify(text.slice(0, 40))}`,
    help: `garner ${verb} --help`,
  });
}
