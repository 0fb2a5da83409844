import { failure, type GarnerError } from '../../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

/** CLI_BAD_SETTING with the place of `key`, which may be a part such as `cache.access[1]`. */
export function badSetting(
  config: EffectiveConfig,
  key: string,
  problem: string,
  cure: string,
  cause?: unknown,
): GarnerError {
  const at = config.placeOf(key, []) ?? config.origin(key.replace(/\[.*$/, ''));
  return failure(cliErrors.CLI_BAD_SETTING, { key, at, problem, cure }, cause);
}
