import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import type { Administered } from './administer.ts';
import { rolesOf } from './token.ts';

const limit = {
  kind: 'count',
  default: 50,
  describe: 'Maximum number of entries to show, up to 1000',
} as const;
const bounded = (given: number | undefined) => String(Math.max(1, Math.min(1000, given ?? limit.default)));

/** `garner broker audit`: every administrative action, with caller, time and outcome. */
export const auditVerb = (group: Administered): Verb => ({
  command: `${group} audit`,
  describe: 'List administrative actions on this server: caller, time, action and outcome, newest first',
  examples: [[`${group} audit --limit 10`, 'the last ten actions, refused ones included']],
  options: { data: dataOption, limit },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    type Entries = { readonly entries: readonly import('../../broker/index.ts').AuditEntry[] };
    const path = `/control/audit?limit=${bounded(run.args.count('limit'))}`;
    const { entries } = await administer<Entries>(run, { path }, { roles: rolesOf(group) });
    await run.output.result(
      entries,
      () =>
        entries
          .map(
            ({ at, who, action, detail, outcome, note }) =>
              `  ${new Date(at).toISOString()}  ${terminalSafe(who)}: ${terminalSafe(`${action} ${detail}`.trim())}; ${outcome}${note === '' ? '' : ` (${terminalSafe(note)})`}`,
          )
          .join('\n') || '  no administrative action yet',
    );
  },
});

/** `garner broker log`: the newest log lines of a serving Broker. */
export const brokerLog: Verb = {
  command: 'broker log',
  describe: 'Show the log of a serving Broker, newest lines first',
  examples: [
    ['broker log --level warn', 'warnings and errors'],
    ['broker log --event round', 'the rounds with sources'],
  ],
  options: {
    data: dataOption,
    limit,
    level: {
      kind: 'text',
      choices: ['debug', 'info', 'warn', 'error'],
      describe: 'Only lines of this level or above',
    },
    event: { kind: 'text', describe: 'Only lines of this event' },
  },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe, terminalSafeJson } = await import('../text/output.ts');
    type Lines = { readonly lines: readonly import('../../broker/index.ts').RecentLine[] };
    const { args, output } = run;
    const parameters = new URLSearchParams({
      limit: bounded(args.count('limit')),
      level: args.text('level') ?? '',
      event: args.text('event') ?? '',
    });
    const { lines } = await administer<Lines>(run, { path: `/control/log?${parameters}` });
    await output.result(
      lines,
      () =>
        lines
          .map(
            ({ at, level, event, data }) =>
              `  ${new Date(at).toISOString()}  ${level}  ${terminalSafe(event)}  ${terminalSafeJson(data)}`,
          )
          .join('\n') || '  no log lines: no Broker serves, or broker.log-level leaves them out',
    );
  },
};
