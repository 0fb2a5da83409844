import { tokenPattern } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

/** The tokens a server knows, as its settings give them. */
export interface ServerTokens {
  readonly read: readonly string[];
  readonly admin: readonly string[];
  readonly required: boolean;
  /** Of these a caller must show one to open a session; anyone may when absent. */
  readonly session: readonly string[] | undefined;
}

/** Read the settings about tokens. Throws CLI_BAD_SETTING for a token that cannot be one, or none where one is required. */
export function serverTokens(config: EffectiveConfig): ServerTokens {
  const listed = (key: string) => {
    const tokens = config.list(key);
    if (tokens.every((token) => tokenPattern.test(token))) return tokens;
    throw bad(
      key,
      config.origin(key),
      'holds a token that is too short',
      'write 8 to 512 printable characters without a space',
    );
  };
  const [read, admin] = [listed('http.read-tokens'), listed('http.admin-tokens')];
  const wire = config.list('wire.tokens');
  const required = config.flag('http.require-token');
  if (required && read.length + admin.length === 0)
    throw bad(
      'http.require-token',
      config.origin('http.require-token'),
      'asks for a token, but none is set',
      'set http.read-tokens too',
    );
  const session = required ? [...wire, ...read, ...admin] : wire.length > 0 ? wire : undefined;
  return { read, admin, required, session };
}

const bad = (key: string, at: string, problem: string, cure: string) =>
  failure(cliErrors.CLI_BAD_SETTING, { key, at, problem, cure });
