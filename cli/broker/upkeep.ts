import { dataOption } from '../command/data-option.ts';
import type { Run, Verb } from '../command/verb.ts';

async function post<Answer>(run: Run, path: string): Promise<Answer> {
  const { administer } = await import('./administer.ts');
  return administer<Answer>(run, { method: 'POST', path });
}

/** `garner broker clean`: forget what has expired, now. */
export const brokerClean: Verb = {
  command: 'broker clean',
  describe:
    'Forget what has expired, and old tombstones, now; a Broker does so by itself every broker.cleaning',
  examples: [['broker clean', 'prints how many objects went']],
  options: { data: dataOption },
  handler: async (run) => {
    const { count } = await import('../text/number-formats.ts');
    const told = await post<{ readonly expired: number }>(run, '/control/clean');
    await run.output.result(told, ({ expired }) => `  ${count(expired, 'object')} expired`);
  },
};

/** `garner broker compact`: make the files smaller. */
export const brokerCompact: Verb = {
  command: 'broker compact',
  describe: 'Let the databases rewrite their files without what was deleted; searches go on meanwhile',
  examples: [['broker compact', 'prints what each took before and after']],
  options: { data: dataOption },
  handler: async (run) => {
    const { size } = await import('../text/number-formats.ts');
    type Compacted = { readonly databases: readonly import('../../store/index.ts').CompactedDatabase[] };
    const told = await post<Compacted>(run, '/control/compact');
    await run.output.result(told, ({ databases }) =>
      databases
        .map(
          ({ name, bytesBefore, bytesAfter }) =>
            `  ${name}  ${size(bytesBefore)} before, ${size(bytesAfter)} after`,
        )
        .join('\n'),
    );
  },
};

/** `garner broker reindex`: make the index anew. */
export const brokerReindex: Verb = {
  command: 'broker reindex',
  describe: 'Make the index anew from the store; meanwhile searches find what is in it so far',
  examples: [['broker reindex', 'garner broker status tells how far it is']],
  options: { data: dataOption },
  handler: async (run) => {
    const { count } = await import('../text/number-formats.ts');
    const told = await post<{ readonly objects: number }>(run, '/control/reindex');
    await run.output.result(told, ({ objects }) =>
      run.typed(
        `  the index of ${count(objects, 'object')} is made anew; garner broker status tells how far it is`,
      ),
    );
  },
};
