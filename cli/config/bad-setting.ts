import { failure, type GarnerError, parseDuration } from '../../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

/** An option that holds a time, in whole seconds; undefined when it was not given. Throws CLI_USAGE. */
export function givenDuration(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (seconds !== undefined && Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw failure(cliErrors.CLI_USAGE, {
    problem: `${option} is ${JSON.stringify(text.slice(0, 40))}, which is not a time in whole seconds`,
    help: `write it with its unit, such as ${option} 5m, 2h or 30d`,
  });
}

/** The errors of an operator's own rules, programs, modules and roots. */
const ofTables = /^(?:RULE|MODULE|PROGRAM)_|^GATHERER_ROOT_NODE$/;

/** The place in the configuration that an error is about, as `garner.yaml:12`; undefined when there is none. */
export function configuredPlace(config: EffectiveConfig, { code, data }: GarnerError): string | undefined {
  if (!ofTables.test(code)) return undefined;
  const known = (data ?? {}) as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof known[name] === 'string' ? [known[name]] : []);
  // The key is the URL of the root where its enumerator finds the fault.
  const texts = ['key', 'module', 'program', 'text', 'pattern'].flatMap(text);
  return config.placeOf(text('key')[0], texts);
}

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
