import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** `garner broker token add`: a token with a name. */
export const brokerTokenAdd: Verb = {
  command: 'broker token add <name>',
  describe: 'Make a token with a name; it is printed once and only its hash is kept',
  examples: [
    ['broker token add jo --scope admin --expires 90d', 'may administer for 90 days'],
    ['broker token add mirror --scope collect', 'may collect where the wire asks for a token'],
  ],
  positionals: { name: 'What the token is called in the audit' },
  options: {
    data: dataOption,
    scope: { kind: 'list', describe: 'read, collect, write or admin (which includes all); may be repeated' },
    expires: { kind: 'text', describe: 'After this time it counts no more, such as 90d' },
  },
  handler: async (run) => {
    const { administer } = await import('./administer.ts');
    const { givenDuration } = await import('../config/given-duration.ts');
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
    output.note('  keep this token now: it is not shown again');
    await output.result(made, ({ token }) => token);
  },
};

/** `garner broker token list`: names, scopes and expiry. */
export const brokerTokenList: Verb = {
  command: 'broker token list',
  describe:
    'Every token with a name: its scopes and when it expires; those of the settings are not among them',
  examples: [['broker token list', 'never the tokens themselves']],
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
          .join('\n') || run.typed('  no token with a name: garner broker token add NAME'),
    );
  },
};

/** `garner broker token remove`: let a token count no more. */
export const brokerTokenRemove: Verb = {
  command: 'broker token remove <name>',
  describe: 'Let a token count no more, from now on',
  examples: [['broker token remove jo', 'who is logged in with it is logged out']],
  positionals: { name: 'The name of the token' },
  options: { data: dataOption },
  handler: async (run) => {
    const { administer, inPath } = await import('./administer.ts');
    const { terminalSafe } = await import('../text/output.ts');
    const path = `/control/tokens/${inPath(run.args.required('name'))}`;
    const told = await administer<{ readonly removed: string }>(run, { method: 'DELETE', path });
    await run.output.result(told, ({ removed }) => `  ${terminalSafe(removed)} counts no more`);
  },
};
