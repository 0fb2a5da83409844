import { dataOption } from '../../command/common-options.ts';
import type { Verb } from '../../command/verb.ts';

/** `garner broker source remove`: stop collecting from a source. */
export const brokerSourceRemove: Verb = {
  command: 'broker source remove <source>',
  describe: 'Remove a source; its objects stay until they expire',
  examples: [
    ['broker source remove ws://127.0.0.1:8500', 'its objects stay searchable until they expire'],
    [
      'broker source remove ws://127.0.0.1:8500 --forget',
      'delete the objects that only it offered; also for former sources',
    ],
  ],
  positionals: { source: 'Address, name or server id of the source' },
  options: {
    data: dataOption,
    forget: { kind: 'flag', describe: 'Delete now the objects that only it offered' },
  },
  handler: async (run) => {
    const { administer, inPath } = await import('../administer.ts');
    const { terminalSafe } = await import('../../text/output.ts');
    const { args, output } = run;
    const forget = args.flag('forget') ? '?forget=1' : '';
    const path = `/control/sources/${inPath(args.required('source'))}${forget}`;
    type Removed = { readonly removed: string; readonly forgotten: boolean };
    const result = await administer<Removed>(run, { method: 'DELETE', path });
    await output.result(
      result,
      ({ removed, forgotten }) =>
        `  source ${terminalSafe(removed)} removed; ${forgotten ? 'the objects that only it offered are deleted' : 'its objects stay until they expire'}`,
    );
  },
};
