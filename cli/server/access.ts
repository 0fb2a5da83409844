import { randomBytes } from 'node:crypto';
import { reaches, type TokenBook, TokenTable, tokenHash } from '../../http/index.ts';
import { bearerTokens } from '../../wire/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { serverTokens } from '../config/tokens.ts';

/** The access rules of a server: over HTTP, over the wire, and through its control door. */
export interface ServerAccess {
  readonly table: TokenTable;
  /** Written beside the store for commands of this machine; a new one at each start. */
  readonly controlToken: string;
  /** Whether a caller with this token may open a session; absent where anyone may. */
  readonly authorise?: (token: string | undefined) => Promise<boolean>;
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
  const authorise = async (token: string | undefined): Promise<boolean> => {
    if (token === undefined) return listed(token);
    const named = () => reaches(table.callerWith(tokenHash(token))?.scopes ?? [], 'collect');
    return (await table.judge(token, () => listed(token) || named() || undefined)) ?? false;
  };
  return { table, controlToken, authorise };
}
