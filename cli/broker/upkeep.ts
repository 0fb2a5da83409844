import { dataOption } from '../command/common-options.ts';
import type { Run, Verb } from '../command/verb.ts';

async function post<Answer>(run: Run, path: string): Promise<Answer> {
  const { administer } = await import('./administer.ts');
  return administer<Answer>(run, { method: 'POST', path });
}

/** `garner broker clean`: remove expired objects. */
export const brokerClean: Verb = {
  command: 'broker clean',
  describe: 'Remove expired objects and old tombstones now; a serving Broker does so every broker.cleaning',
  examples: [['broker clean', 'print the number of removed objects']],
  options: { data: dataOption },
  handler: async (run) => {
    const { count } = await import('../text/number-formats.ts');
    const result = await post<{ readonly expired: number }>(run, '/control/clean');
    await run.output.result(result, ({ expired }) => `  ${count(expired, 'object')} expired`);
  },
};

/** `garner broker compact`: make the database files smaller. */
export const brokerCompact: Verb = {
  command: 'broker compact',
  describe: 'Rewrite the database files without deleted data; searches go on meanwhile',
  examples: [['broker compact', 'print the size of each before and after']],
  options: { data: dataOption },
  handler: async (run) => {
    const { size } = await import('../text/number-formats.ts');
    type Compacted = { readonly databases: readonly import('../../store/index.ts').CompactedDatabase[] };
    const result = await post<Compacted>(run, '/control/compact');
    await run.output.result(result, ({ databases }) =>
      databases
        .map(
          ({ name, bytesBefore, bytesAfter }) =>
            `  ${name}  ${size(bytesBefore)} before, ${size(bytesAfter)} after`,
        )
        .join('\n'),
    );
  },
};

/** `garner broker reindex`: rebuild the index. */
export const brokerReindex: Verb = {
  command: 'broker reindex',
  describe: 'Rebuild the index from the store; meanwhile searches find the objects indexed so far',
  examples: [['broker reindex', 'garner broker status shows the progress']],
  options: { data: dataOption },
  handler: async (run) => {
    const { count } = await import('../text/number-formats.ts');
    const result = await post<{ readonly objects: number }>(run, '/control/reindex');
    await run.output.result(result, ({ objects }) =>
      run.typed(
        `  rebuilding the index of ${count(objects, 'object')}; garner broker status shows the progress`,
      ),
    );
  },
};
