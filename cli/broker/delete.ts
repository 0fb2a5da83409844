import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker delete`: delete objects by query or id, after a dry run. */
export const brokerDelete: Verb = {
  command: 'broker delete [oid..]',
  describe: 'Delete objects by query or id; they are not collected again until they change',
  examples: [
    ['broker delete --query "Type: Image" --dry-run', 'show what would be deleted'],
    ['broker delete --query "Type: Image" --yes --reason "no pictures here"', 'delete every object found'],
    ['broker delete OID --for-good --reason "request of the author"', 'keep changed versions out too'],
  ],
  positionals: { oid: 'Object ids, as in search --json' },
  options: {
    data: dataOption,
    query: { kind: 'text', describe: 'Delete every object that matches, instead of naming ids' },
    'dry-run': { kind: 'flag', describe: 'Show what would be deleted, and delete nothing' },
    yes: { kind: 'flag', describe: 'Delete what a query finds; without it a query is a dry run' },
    'at-most': { kind: 'count', describe: 'Delete nothing when the query finds more' },
    'for-good': { kind: 'flag', describe: 'Keep changed versions out too' },
    reason: { kind: 'text', describe: 'Reason; stored with the block and in the audit' },
  },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count, number } = await import('../text/number-formats.ts');
    type Report = import('../../broker/index.ts').DeletionReport;
    const { args, output } = run;
    const [query, oids, atMost] = [args.text('query'), args.list('oid'), args.count('at-most')];
    if ((query === undefined) === (oids.length === 0))
      throw failure(cliErrors.CLI_USAGE, {
        problem: 'give either object ids or a query',
        help: 'garner broker delete --query "Type: Image" --dry-run',
      });
    const dryRun = args.flag('dry-run') || (query !== undefined && !args.flag('yes'));
    const json = {
      ...(query === undefined ? { oids } : { query }),
      ...(atMost !== undefined && { atMost }),
      ...{ dryRun, forGood: args.flag('for-good'), reason: args.text('reason') ?? '' },
    };
    const report = await administer<Report>(run, { method: 'POST', path: '/control/deletions', json });
    await output.result(report, ({ understood, found, deleted, missing, sample }) => {
      const head = dryRun
        ? `  ${count(found, 'object')} would be deleted${understood === null ? '' : `, found by ${terminalSafe(understood)}`}`
        : `  ${count(deleted, 'object')} deleted; garner broker blocked lists deleted objects`;
      const rest = found - sample.length;
      return run.typed(
        [
          head,
          ...sample.map(({ oid, url, title }) => `    ${oid}  ${terminalSafe(title)}  ${terminalSafe(url)}`),
          ...(rest > 0 ? [`    and ${number(rest)} more`] : []),
          ...missing.map((oid) => `  no object with the id ${terminalSafe(oid)}`),
          ...(dryRun && !args.flag('dry-run')
            ? [`  nothing was deleted; to delete, add --yes --at-most ${found}`]
            : []),
        ].join('\n'),
      );
    });
  },
};
