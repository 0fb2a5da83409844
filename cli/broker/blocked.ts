import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker blocked`: the objects that were deleted by hand. */
export const brokerBlocked: Verb = {
  command: 'broker blocked',
  describe: 'List objects that were deleted by hand and are not collected again',
  examples: [['broker blocked', 'each with caller, time and reason of the deletion']],
  options: {
    data: dataOption,
    limit: { kind: 'count', default: 100, describe: 'Maximum number of objects to show, up to 1000' },
    after: { kind: 'text', describe: 'Begin after this object id' },
  },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { count } = await import('../text/number-formats.ts');
    type Blocked = {
      readonly total: number;
      readonly blocked: readonly import('../../broker/index.ts').Block[];
      readonly next: string | null;
    };
    const { args, output } = run;
    const limit = Math.max(1, Math.min(1000, args.count('limit') ?? 100));
    const parameters = new URLSearchParams({ limit: String(limit), after: args.text('after') ?? '' });
    const page = await administer<Blocked>(run, { path: `/control/blocked?${parameters}` });
    await output.result(page, ({ total, blocked, next }) =>
      run.typed(
        [
          `  ${count(total, 'object')} blocked`,
          ...blocked.map(
            ({ oid, url, isForGood, reason, by, at }) =>
              `    ${oid}  ${terminalSafe(url)}\n      ${isForGood ? 'for good' : 'until it changes'}, by ${terminalSafe(by)} ${new Date(at * 1000).toISOString()}${reason === '' ? '' : `: ${terminalSafe(reason)}`}`,
          ),
          ...(next === null ? [] : [`  more: garner broker blocked --after ${next}`]),
        ].join('\n'),
      ),
    );
  },
};

/** `garner broker unblock`: let a deleted object come back. */
export const brokerUnblock: Verb = {
  command: 'broker unblock <oid>',
  describe: 'Allow a deleted object to be collected again at the next round with its source',
  examples: [['broker unblock OID', 'an id from garner broker blocked']],
  positionals: { oid: 'Object id' },
  options: { data: dataOption },
  handler: async (run) => {
    const { administer, inPath } = await import('./administer.ts');
    const oid = run.args.required('oid');
    const result = await administer<{ readonly unblocked: string }>(run, {
      method: 'DELETE',
      path: `/control/blocked/${inPath(oid)}`,
    });
    await run.output.result(result, () =>
      run.typed(`  ${oid} comes back at the next round; garner broker source collect runs one now`),
    );
  },
};
