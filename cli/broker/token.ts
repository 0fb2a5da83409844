import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker token add`: a token with a name. */
export const brokerTokenAdd: Verb = {
  command: 'broker token add <name>',
  describe: 'Create a named token; it is printed once, and only its hash is stored',
  examples: [
    ['broker token add jo --scope admin --expires 90d', 'may administer for 90 days'],
    ['broker token add mirror --scope collect', 'may collect where the wire requires a token'],
  ],
  positionals: { name: 'Name of the token in the audit' },
  options: {
    data: dataOption,
    scope: { kind: 'list', describe: 'read, collect, write or admin (which includes all); may be repeated' },
    expires: { kind: 'text', describe: 'Time after which it is no longer valid, such as 90d' },
  },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { givenDuration } = await import('../config/bad-setting.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    type Made = import('../../http/index.ts').TokenNote & { readonly token: string };
    const { args, output } = run;
    const seconds = givenDuration('--expires', args.text('expires'));
    const scopes = args.list('scope').length === 0 ? ['read'] : args.list('scope');
    const expiresAt = seconds === undefined ? null : Math.floor(systemClock.now() / 1000) + seconds;
    const json = { name: args.required('name'), scopes, expiresAt };
    const made = await administer<Made>(
      run,
      { method: 'POST', path: '/control/tokens', json },
      { creates: true },
    );
    output.note('  copy this token now: it is not shown again');
    await output.result(made, ({ token }) => token);
  },
};

/** `garner broker token list`: names, scopes and expiry. */
export const brokerTokenList: Verb = {
  command: 'broker token list',
  describe: 'List the named tokens with scopes and expiry; tokens of the configuration are not among them',
  examples: [['broker token list', 'does not print the tokens themselves']],
  options: { data: dataOption },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const { systemClock } = await import('../../kernel/index.ts');
    type Notes = { readonly tokens: readonly import('../../http/index.ts').TokenNote[] };
    const { tokens } = await administer<Notes>(run, { path: '/control/tokens' });
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
          .join('\n') || run.typed('  no named tokens; garner broker token add NAME creates one'),
    );
  },
};

/** `garner broker token remove`: invalidate a token. */
export const brokerTokenRemove: Verb = {
  command: 'broker token remove <name>',
  describe: 'Invalidate a named token at once',
  examples: [['broker token remove jo', 'also ends the login sessions of this token']],
  positionals: { name: 'The name of the token' },
  options: { data: dataOption },
  handler: async (run) => {
    const { administer, inPath } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const path = `/control/tokens/${inPath(run.args.required('name'))}`;
    const result = await administer<{ readonly removed: string }>(run, { method: 'DELETE', path });
    await run.output.result(result, ({ removed }) => `  token ${terminalSafe(removed)} removed`);
  },
};
