import type { GarnerError } from '../../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';

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
