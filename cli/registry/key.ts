import type { Identity, KeyLink } from '../../soif/index.ts';
import type { DataRole } from '../../store/index.ts';
import { dataOption, dataPath } from '../command/common-options.ts';
import type { Run, Verb } from '../command/verb.ts';

const actions = ['show', 'rotate', 'revoke'] as const;
const roles = ['gatherer', 'broker', 'registry', 'replicator', 'tracker', 'oai', 'cache'] as const;

/** `garner registry key`: the key of a server, which its data folder holds. */
export const registryKey: Verb = {
  command: 'registry key <action>',
  describe: 'Show the key of a server, give it a new one, or revoke its former keys',
  examples: [
    ['registry key show --data tides', 'id, key and former keys'],
    [
      'registry key rotate --data tides --role gatherer',
      'a new key, which the old one signs; the server is stopped',
    ],
    [
      'registry key revoke --data tides --role gatherer',
      'what only former keys signed is dropped everywhere',
    ],
  ],
  positionals: { action: 'show, rotate or revoke' },
  options: {
    data: dataOption,
    role: {
      kind: 'text',
      choices: roles,
      describe: 'Whose key; needed where the folder has several servers',
    },
  },
  handler: async (run) => {
    const { failure } = await import('../../kernel/index.ts');
    const { cliErrors } = await import('../config/errors.ts');
    const { args } = run;
    const action = actions.find((one) => one === args.required('action'));
    if (action === undefined)
      throw failure(cliErrors.CLI_USAGE, {
        problem: `${JSON.stringify(args.required('action').slice(0, 50))} is not show, rotate or revoke`,
        help: 'garner registry key --help',
      });
    const role = await wantedRole(run);
    const path = dataPath(run.cwd, args.required('data'), role);
    const identity = await identityAfter(action, path, role);
    await run.output.result(jsonOf(role, identity), () => linesOf(action, role, identity).join('\n'));
    return 0;
  },
};

/** The server of `--role`, or the only one of the data folder. Throws CLI_USAGE where it has several, and STORE_MISSING. */
async function wantedRole({ args, cwd }: Run): Promise<DataRole> {
  const { access } = await import('node:fs/promises');
  const { join, resolve } = await import('node:path');
  const { failure } = await import('../../kernel/index.ts');
  const { cliErrors } = await import('../config/errors.ts');
  const { storeErrors } = await import('../../store/index.ts');
  const data = args.required('data');
  const wanted = args.text('role') as DataRole | undefined;
  const found: DataRole[] = [];
  for (const role of roles)
    await access(join(dataPath(cwd, data, role), 'identity.json')).then(
      () => found.push(role),
      (error: NodeJS.ErrnoException) => {
        // A folder that cannot be entered is reported when it is read.
        if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') found.push(role);
      },
    );
  const [only] = wanted === undefined ? found : found.filter((role) => role === wanted);
  if (only === undefined)
    throw failure(storeErrors.STORE_MISSING, {
      path: wanted === undefined ? resolve(cwd, data) : dataPath(cwd, data, wanted),
      cure:
        found.length > 0
          ? `--role ${found.join(' or --role ')}: the data folder has no other server`
          : 'name the data folder of a server with --data; a server makes its key when it first starts',
    });
  if (wanted === undefined && found.length > 1)
    throw failure(cliErrors.CLI_USAGE, {
      problem: `the data folder has the servers ${found.join(', ')}: name one with --role`,
      help: 'garner registry key --help',
    });
  return only;
}

async function identityAfter(
  action: (typeof actions)[number],
  path: string,
  role: DataRole,
): Promise<Identity> {
  const { openDataFolder, readFolderIdentity } = await import('../../store/index.ts');
  if (action === 'show') return readFolderIdentity(path);
  const { systemClock: clock, systemRandom: random } = await import('../../kernel/index.ts');
  await using folder = await openDataFolder(path, { role, clock, random });
  return await folder.changeKey(action === 'revoke');
}

const text = (key: Uint8Array) => Buffer.from(key).toString('base64url');

/** Links that a person can read. */
const linksJson = (links: readonly KeyLink[]) =>
  links.map(({ key, next, at, isRevoked }) => ({ key: text(key), next: text(next), at, isRevoked }));

const jsonOf = (role: DataRole, { serverId, publicKey, succession = [] }: Identity) => ({
  ...{ role, serverId, key: text(publicKey), links: linksJson(succession) },
});

function linesOf(
  action: (typeof actions)[number],
  role: DataRole,
  { serverId, publicKey, succession = [] }: Identity,
): readonly string[] {
  const links = linksJson(succession).map(({ key, next, at, isRevoked }) => {
    const said = key === next ? 'revokes all keys before it' : `is followed by ${next}`;
    return `  ${new Date(at * 1000).toISOString()}  ${key} ${said}${isRevoked && key !== next ? ', and is revoked' : ''}`;
  });
  return [
    `  role  ${role}`,
    `  id    ${serverId}`,
    `  key   ${text(publicKey)}`,
    ...links,
    ...(action === 'show'
      ? []
      : [
          'Start the server again: it uses this key from then on.',
          'Back up identity.json: an identity that is lost cannot be made again.',
        ]),
  ];
}
