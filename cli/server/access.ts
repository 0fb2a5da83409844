import { randomBytes } from 'node:crypto';
import { reaches, type TokenBook, TokenTable, tokenHash } from '../../http/index.ts';
import { Fronts } from '../../kernel/index.ts';
import { bearerTokens } from '../../wire/index.ts';
import { badSetting } from '../config/bad-setting.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { serverTokens } from '../config/tokens.ts';

/** The access rules of a server: over HTTP, over the wire, and through its control door. */
export interface ServerAccess {
  readonly table: TokenTable;
  /** Written beside the store for commands of this machine; a new one at each start. */
  readonly controlToken: string;
  /** Whether a caller with this token may open a session; absent where anyone may. */
  readonly authorise?: (token: string | undefined, client: string) => Promise<boolean>;
}

/** The proxies of http.fronts. Throws CLI_BAD_SETTING. */
export function trustedFronts(config: EffectiveConfig): Fronts {
  try {
    return new Fronts(config.list('http.fronts'));
  } catch (error) {
    const cure = 'Write addresses such as 127.0.0.1, or networks such as 10.0.0.0/8.';
    throw badSetting(config, 'http.fronts', `cannot be used: ${(error as Error).message}`, cure, error);
  }
}

/** The access that the settings give, with the tokens of a book. Throws CLI_BAD_SETTING. */
export function serverAccess(config: EffectiveConfig, book?: TokenBook): ServerAccess {
  const { read, admin, collect, required, session } = serverTokens(config);
  const controlToken = randomBytes(24).toString('base64url');
  const table = new TokenTable(
    { read, admin, collect, control: controlToken, ...(book && { book }) },
    required,
  );
  if (session === undefined) return { table, controlToken };
  const listed = bearerTokens(session);
  const authorise = async (token: string | undefined, client: string): Promise<boolean> => {
    if (token === undefined) return listed(token);
    const named = () => reaches(table.callerWith(tokenHash(token))?.scopes ?? [], 'collect');
    return (await table.judge(token, client, () => listed(token) || named() || undefined)) ?? false;
  };
  return { table, controlToken, authorise };
}
