import { dataOption } from '../../command/data-option.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source remove`: collect from a source no more. */
export const brokerSourceRemove: Verb = {
  command: 'broker source remove <source>',
  describe: 'Collect from a source no more; what it gave stays until it expires',
  examples: [
    ['broker source remove ws://127.0.0.1:8500', 'what it gave can be found until it expires'],
    [
      'broker source remove ws://127.0.0.1:8500 --forget',
      'what only it offered goes now; for former sources too',
    ],
  ],
  positionals: { source: 'Its address, name or server id' },
  options: { data: dataOption, forget: { kind: 'flag', describe: 'Forget now what only it offered' } },
  handler: async (run) => {
    const { administer, inPath } = await import('../administer.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { args, output } = run;
    const forget = args.flag('forget') ? '?forget=1' : '';
    const path = `/control/sources/${inPath(args.required('source'))}${forget}`;
    type Removed = { readonly removed: string; readonly forgotten: boolean };
    const told = await administer<Removed>(run, { method: 'DELETE', path });
    await output.result(
      told,
      ({ removed, forgotten }) =>
        `  ${terminalSafe(removed)} is no source any more${forgotten ? ', and what only it offered is gone' : '; what it gave stays until it expires'}`,
    );
  },
};
