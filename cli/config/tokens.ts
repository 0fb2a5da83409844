import { isSharedOrigin, tokenPattern } from '../../http/index.ts';
import { badSetting } from './bad-setting.ts';
import type { EffectiveConfig } from './config.ts';

export interface ServerTokens {
  readonly read: readonly string[];
  /** The tokens of wire.tokens. */
  readonly collect: readonly string[];
  readonly admin: readonly string[];
  readonly required: boolean;
  /** The tokens that open a session; undefined where no token is needed. */
  readonly session: readonly string[] | undefined;
}

/** Read the settings of tokens. Throws CLI_BAD_SETTING for an invalid token, or for none where one is required. */
export function serverTokens(config: EffectiveConfig): ServerTokens {
  const listed = (key: string) => {
    const tokens = config.list(key);
    if (tokens.every((token) => tokenPattern.test(token))) return tokens;
    throw badSetting(
      config,
      key,
      'holds a token that is not 8 to 512 printable characters',
      'write 8 to 512 printable characters without spaces',
    );
  };
  const [read, admin] = [listed('http.read-tokens'), listed('http.admin-tokens')];
  const wire = config.list('wire.tokens');
  const required = config.flag('http.require-token');
  if (required && read.length + admin.length === 0)
    throw badSetting(
      config,
      'http.require-token',
      'requires a token, but none is set',
      'set http.read-tokens too',
    );
  const session = required ? [...wire, ...read, ...admin] : wire.length > 0 ? wire : undefined;
  return { read, admin, collect: wire, required, session };
}

/** The origins of `http.cors-origins`. Throws CLI_BAD_SETTING for one that no browser sends. */
export function corsOrigins(config: EffectiveConfig): readonly string[] {
  const origins = config.list('http.cors-origins');
  const odd = origins.find((origin) => !isSharedOrigin(origin));
  if (odd === undefined) return origins;
  throw badSetting(
    config,
    'http.cors-origins',
    `holds ${JSON.stringify(odd.slice(0, 80))}, which is no origin`,
    'write scheme, host and port of each origin without a path, such as https://docs.example.org, or * for all',
  );
}
