import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';
import type { Administered } from './administer.ts';

/** The servers of which the verbs of a group change the tokens: those of Brokers also in a folder with only a Registry. */
export const rolesOf = (group: Administered) =>
  group === 'broker' ? (['broker', 'registry'] as const) : (['registry'] as const);

/** `garner broker token add`: a token with a name. */
const tokenAdd = (group: Administered): Verb => ({
  command: `${group} token add <name>`,
  describe: 'Create a named token; it is printed once, and only its hash is stored',
  examples: [
    [`${group} token add jo --scope admin --expires 90d`, 'may administer for 90 days'],
    [`${group} token add mirror --scope collect`, 'may collect where the wire requires a token'],
  ],
  positionals: { name: 'Name of the token in the audit' },
  options: {
    data: dataOption,
    scope: { kind: 'list', describe: 'read, collect, write or admin (which includes all); may be repeated' },
    expires: { kind: 'text', describe: 'Time after which it is no longer valid, such as 90d' },
  },
  handler: async (run) => {
    const { administer, administeredData, isThere } = await import('./administer.ts');
    const { givenDuration } = await import('../config/bad-setting.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    type Made = import('../../http/index.ts').TokenNote & { readonly token: string };
    const { args, output } = run;
    const seconds = givenDuration('--expires', args.text('expires'));
    const scopes = args.list('scope').length === 0 ? ['read'] : args.list('scope');
    const expiresAt = seconds === undefined ? null : Math.floor(systemClock.now() / 1000) + seconds;
    const json = { name: args.required('name'), scopes, expiresAt };
    const roles = rolesOf(group);
    // Only in the default folder before the first start: a named folder without a server is a slip.
    const isEarly =
      group === 'broker' &&
      args.required('data') === dataOption.default &&
      !(await isThere((await administeredData(run, roles)).data));
    const call = { method: 'POST', path: '/control/tokens', json } as const;
    const made = await administer<Made>(run, call, { creates: isEarly, roles });
    if (isEarly)
      output.note(`  this token is for the Broker that you start with --data ${dataOption.default}`);
    output.note('  copy this token now: it is not shown again');
    await output.result(made, ({ token }) => token);
  },
});

/** `garner broker token list`: names, scopes and expiry. */
const tokenList = (group: Administered): Verb => ({
  command: `${group} token list`,
  describe: 'List the named tokens with scopes and expiry; tokens of the configuration are not among them',
  examples: [[`${group} token list`, 'does not print the tokens themselves']],
  options: { data: dataOption },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    type Notes = { readonly tokens: readonly import('../../http/index.ts').TokenNote[] };
    const { tokens } = await administer<Notes>(run, { path: '/control/tokens' }, { roles: rolesOf(group) });
    const until = (at: number | null) =>
      at === null
        ? ''
        : `, ${at * 1000 <= systemClock.now() ? 'expired' : 'until'} ${new Date(at * 1000).toISOString()}`;
    await run.output.result(
      tokens,
      () =>
        tokens
          .map(
            ({ name, scopes, createdAt, expiresAt }) =>
              `  ${terminalSafe(name)}: ${scopes.join(', ')}; made ${new Date(createdAt * 1000).toISOString()}${until(expiresAt)}`,
          )
          .join('\n') || run.typed(`  no named tokens; garner ${group} token add NAME creates one`),
    );
  },
});

/** `garner broker token remove`: invalidate a token. */
const tokenRemove = (group: Administered): Verb => ({
  command: `${group} token remove <name>`,
  describe: 'Invalidate a named token at once',
  examples: [[`${group} token remove jo`, 'also ends the login sessions of this token']],
  positionals: { name: 'The name of the token' },
  options: { data: dataOption },
  handler: async (run) => {
    const { administer, inPath } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const path = `/control/tokens/${inPath(run.args.required('name'))}`;
    const result = await administer<{ readonly removed: string }>(
      run,
      { method: 'DELETE', path },
      { roles: rolesOf(group) },
    );
    await run.output.result(result, ({ removed }) => `  token ${terminalSafe(removed)} removed`);
  },
});

/** The verbs about the named tokens of a Broker or a Registry. */
export const tokenVerbs = (group: Administered): readonly Verb[] => [
  tokenAdd(group),
  tokenList(group),
  tokenRemove(group),
];
